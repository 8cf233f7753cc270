"""Changes of the plan while it is played: rounds, top cut, third place, minutes.

``rules.plan_changes`` decides what may change and makes the new plan; the specification is
docs/changing-the-plan.md. ``services.change_plan`` stores it, with the stages that appear or
disappear and without a last round that no longer fits. ``selectors`` says what a change would
bring, and what players are told of one.
"""
