"""Which test stores something by each form of the site.

Each test that stands here is checked when it runs: it must have stored something by the forms
that are named, and have been redirected (``tests.storing``). The names are those of the addresses.
"""

from tests.forms_of_players import OF_PLAYERS

TRIED: dict[str, set[str]] = {
    **OF_PLAYERS,
    "tests/tournaments/plan_changes/test_plan_changes.py::test_the_page_says_what_follows_before_it_changes_anything": {
        "tournaments:plan"
    },
    "tests/tournaments/repeats/test_pages.py::test_one_click_makes_it_and_a_second_one_shows_it": {
        "tournaments:manage-repeat"
    },
    "tests/tournaments/repeats/test_pages.py::test_regulars_are_added_in_one_click_and_the_page_comes_again[manage]": {
        "tournaments:manage-regulars"
    },
    "tests/tournaments/publishers/test_pasted_pairings.py::test_a_pasted_round_is_drafted_and_published": {
        "tournaments:desk-pairings"
    },
    "tests/tournaments/corrections/test_lots.py::test_page": {"tournaments:lots-correct"},
    "tests/tournaments/corrections/test_lots.py::test_page_of_a_bye": {"tournaments:match-bye"},
    "tests/tournaments/players/test_links_for_all.py::test_links_are_mailed_once_a_player_an_hour": {
        "tournaments:manage-links-mail"
    },
    "tests/tournaments/players/test_links_for_all.py::test_the_page_of_mails_names_players_and_sends_again": {
        "tournaments:manage-mail-again"
    },
    "tests/tournaments/staff/test_staff_invitations.py::test_a_mail_that_is_not_sent_leaves_the_link_to_hand_on": {
        "tournaments:manage-invitation-link"
    },
    "tests/tournaments/prizes/test_prizes.py::test_the_form_stores_reads_back_and_ticks": {
        "tournaments:manage-prize",
        "tournaments:manage-prizes",
    },
    "tests/tournaments/corrections/test_follow.py::test_page_of_a_seat": {
        "tournaments:manage-player-seat"
    },
    "tests/tournaments/corrections/test_seeds.py::test_page": {"tournaments:manage-seeds-correct"},
    "tests/tournaments/corrections/test_seeds.py::test_page_of_a_player": {
        "tournaments:manage-player-not-in"
    },
    "tests/tournaments/events/test_tables.py::test_events_of_one_evening_in_one_place_warn_of_their_tables": {
        "tournaments:manage-tables"
    },
    "tests/tournaments/test_every_page.py::test_who_gets_what[running]": {
        "tournaments:announcement",
        "tournaments:announcement-end",
        "tournaments:call-close",
        "tournaments:call-take",
        "tournaments:check",
        "tournaments:checks-pick",
        "tournaments:checks-start",
        "tournaments:desk-clock",
        "tournaments:floor-penalty",
        "tournaments:desk-quick",
        "tournaments:desk-result",
        "tournaments:desk-save",
        "tournaments:desk-undo-round",
        "tournaments:manage-apart",
        "tournaments:manage-player",
        "tournaments:manage-player-check-in",
        "tournaments:manage-player-leave",
        "tournaments:manage-player-link",
        "tournaments:manage-snapshot",
        "tournaments:manage-staff",
        "tournaments:manage-staff-take",
        "tournaments:manage-tokens",
        "tournaments:match-extend",
        "tournaments:match-leave",
        "tournaments:match-note",
        "tournaments:match-ruling",
        "tournaments:my-check-in",
        "tournaments:my-deck-draft-drop",
        "tournaments:my-drop",
        "tournaments:penalties",
        "tournaments:penalty-take-back",
        "tournaments:second-leg",
    },
    "tests/tournaments/test_every_page.py::test_who_gets_what[registration]": {
        "tournaments:manage-player-remove",
        "tournaments:manage-players-add",
        "tournaments:manage-players-paste",
        "tournaments:manage-players-seeds",
        "tournaments:manage-start-draw",
        "tournaments:register",
    },
    "tests/accounts/test_sign_up.py::test_a_token_is_shown_once_kept_as_a_hash_and_taken_back": {
        "make_token",
        "revoke_token",
    },
    "tests/accounts/test_sign_up.py::test_changing_the_password_ends_the_other_sessions": {
        "account_change_password",
        "account_login",
    },
    "tests/tournaments/drafts/test_draft_pages.py::test_the_publication_is_taken_back_from_the_page_while_nobody_has_reported": {
        "tournaments:desk-change",
        "tournaments:desk-publish",
        "tournaments:log-undo",
    },
    "tests/accounts/test_second_factor.py"
    "::test_a_code_counts_half_a_minute_early_and_late_and_once": {
        "mfa_activate_totp",
        "mfa_authenticate",
    },
    "tests/accounts/test_sign_up.py::test_who_opens_it_chooses_name_and_password_and_begins": {
        "first_organiser",
    },
    "tests/accounts/test_sign_up.py"
    "::test_a_new_address_takes_the_place_of_the_old_once_it_is_checked": {
        "account_confirm_email",
        "account_email",
    },
    "tests/accounts/test_same_work.py::test_asking_for_a_new_password_sends_one_mail_whoever_asks": {
        "account_reset_password",
    },
    "tests/accounts/test_sign_up.py::test_a_person_signs_up_with_name_address_and_password": {
        "account_signup",
    },
    "tests/decks/cards/test_card_pages.py::test_own_cards_can_be_deleted_and_nobody_elses": {
        "decks:cards_drop",
        "decks:cards_load",
    },
    "tests/decks/house_formats/test_house_formats.py::test_a_format_is_copied_changed_and_shown": {
        "decks:change",
        "decks:copy",
    },
    "tests/decks/own_formats/test_rules_page.py"
    "::test_changed_rules_are_told_in_words_tried_and_saved": {
        "decks:rules",
    },
    "tests/decks/own_formats/test_rules_page.py"
    "::test_every_check_of_the_form_is_told_in_words_json_and_a_copy": {
        "decks:rules_copy",
    },
    "tests/tournaments/archive/test_restore_page.py"
    "::test_a_file_becomes_an_event_whose_organiser_restored_it": {"tournaments:event-restore"},
    "tests/tournaments/criteria/test_criteria_change.py::test_a_ready_made_order_wins_over_the_places": {
        "tournaments:event-new",
    },
    "tests/tournaments/criteria/test_criteria_change.py"
    "::test_the_page_shows_what_changes_before_it_counts": {"tournaments:manage-criteria"},
    "tests/tournaments/decklists/test_deck_pages.py"
    "::test_a_file_that_was_changed_in_the_editor_is_the_changed_text": {
        "tournaments:my-deck",
        "tournaments:my-deck-draft",
    },
    "tests/tournaments/decklists/test_decklists_desk.py"
    "::test_a_list_is_opened_and_closed_in_the_time_of_the_event": {
        "tournaments:manage-player-decklist-close",
        "tournaments:manage-player-decklist-open",
    },
    "tests/tournaments/events/test_listed.py::test_a_draft_is_deleted_once_its_name_is_typed": {
        "tournaments:manage-delete",
    },
    "tests/tournaments/desk/test_desk_stages.py::test_a_closed_last_stage_leaves_the_end_alone": {
        "tournaments:advance-close",
        "tournaments:desk-finish",
    },
    "tests/tournaments/decklists/test_shown_lists.py::test_the_page_of_the_cut_holds_and_the_desk_releases": {
        "tournaments:lists-release",
    },
    "tests/tournaments/judging/test_notes.py::test_a_call_from_the_phone_to_its_end": {
        "tournaments:my-call",
    },
    "tests/tournaments/floor/test_floor.py::test_the_desk_calls_a_judge_to_a_table": {
        "tournaments:match-call",
    },
    "tests/tournaments/judging/test_notes.py::test_rulings_of_the_head_judge_are_read_by_players": {
        "tournaments:rulings",
    },
    "tests/tournaments/decklists/test_shown_lists.py::test_the_organiser_publishes_from_the_own_page": {
        "tournaments:lists-hide",
        "tournaments:lists-publish",
    },
    "tests/tournaments/staff/test_tokens_page.py::test_a_revoked_token_opens_nothing": {
        "tournaments:manage-token-revoke",
    },
    "tests/accounts/test_second_factor.py::test_what_changes_the_way_in_asks_once_more": {
        "account_reauthenticate",
    },
    "tests/accounts/test_without_mail.py::test_the_administrators_link_makes_a_new_password_once": {
        "account_reset_password_from_key",
    },
    "tests/decks/card_lists/test_card_lists.py::test_a_file_is_looked_at_before_it_is_stored": {
        "decks:lists_load",
    },
    "tests/tournaments/keeping_apart/test_apart.py::test_the_page_adds_and_ends_pairs": {
        "tournaments:manage-apart-end",
    },
    "tests/tournaments/clock/test_clock.py::test_warnings_are_set_in_the_settings": {
        "tournaments:manage-settings",
    },
    "tests/tournaments/decklists/test_decklists_desk.py"
    "::test_a_list_is_corrected_with_a_reason_after_the_lock": {
        "tournaments:manage-player-decklist",
    },
    "tests/tournaments/decklists/test_decklists_desk.py::test_the_start_names_the_lists_it_passes_over": {
        "tournaments:manage-start-go",
    },
    "tests/tournaments/desk/test_desk_corrections.py"
    "::test_a_correction_shows_its_effects_and_keeps_the_old_result": {"tournaments:match-correct"},
    "tests/tournaments/desk/test_desk_corrections.py::test_a_dispute_is_settled_by_one_of_the_reports": {
        "tournaments:match-take",
    },
    "tests/tournaments/desk/test_desk_pages.py::test_a_draft_is_taken_back": {
        "tournaments:desk-draft",
    },
    "tests/tournaments/desk/test_desk_stages.py::test_lots_drawn_by_hand_have_witnesses": {
        "tournaments:lots-hand",
    },
    "tests/tournaments/desk/test_desk_stages.py::test_the_opening_of_a_stage_is_taken_back": {
        "tournaments:advance-undo",
    },
    "tests/tournaments/desk/test_desk_stages.py::test_the_tool_draws_once": {
        "tournaments:lots-draw",
    },
    "tests/tournaments/drafts/test_draft_pages.py"
    "::test_a_round_is_thrown_away_by_its_name_and_brought_back": {"tournaments:desk-discard"},
    "tests/tournaments/erasing/test_erasing_pages.py::test_a_link_leads_nowhere_afterwards": {
        "tournaments:manage-player-erase",
    },
    "tests/tournaments/erasing/test_erasing_pages.py"
    "::test_an_account_is_erased_by_its_owner_and_the_session_ends": {"tournaments:erase-me"},
    "tests/tournaments/erasing/test_remaining_texts.py"
    "::test_the_pages_lead_from_the_erasure_to_an_empty_list": {
        "tournaments:erasing-accept",
        "tournaments:erasing-blank",
    },
    "tests/tournaments/extra_matches/test_extra_pages.py::test_nobody_sees_a_draft_and_everybody_the_round": {
        "tournaments:lots-extra",
    },
    "tests/tournaments/formulas/test_formula_pages.py::test_a_formula_in_use_stays": {
        "tournaments:formula-delete",
    },
    "tests/tournaments/formulas/test_formula_builder.py::test_a_stale_form_is_kept_and_may_take_the_place": {
        "tournaments:formula-change",
    },
    "tests/tournaments/formulas/test_formula_builder.py::test_from_nothing_to_an_event_that_starts": {
        "tournaments:formula-new",
    },
    "tests/tournaments/starting/test_start_pages.py::test_an_order_drawn_by_hand_needs_witnesses": {
        "tournaments:manage-start-hand",
    },
    "tests/tournaments/staff/test_staff_invitations.py::test_a_judge_sees_a_draft_once_they_accept": {
        "tournaments:invitation",
    },
    "tests/tournaments/staff/test_staff_invitations.py"
    "::test_a_link_that_was_used_taken_back_or_is_too_old_is_gone": {
        "tournaments:manage-invitation-revoke",
    },
    "tests/tournaments/strikes/test_strikes.py"
    "::test_the_page_shows_the_effects_strikes_and_takes_it_back": {
        "tournaments:manage-player-strike",
    },
    "tests/tournaments/events/test_listed.py::test_what_is_written_stands_on_the_event_s_page": {
        "tournaments:manage-information",
    },
    "tests/tournaments/standings/test_held_standings.py::test_they_are_released_by_the_page": {
        "tournaments:standings-release",
    },
    "tests/tournaments/corrections/test_follow.py"
    "::test_who_is_next_moves_up_by_one_act_before_the_round": {"tournaments:next-in-line"},
    "tests/tournaments/paper/test_sheets.py"
    "::test_the_organiser_switches_it_on_where_the_site_has_a_folder": {
        "tournaments:sheets-folder",
    },
    "tests/tournaments/screen/test_screen.py"
    "::test_the_desk_pins_an_announcement_and_the_next_question_brings_it": {
        "tournaments:screen-pin",
    },
    "tests/tournaments/undo/test_undo.py::test_after_an_act_the_page_offers_it_and_returns_there": {
        "tournaments:log-redo",
    },
    "tests/tournaments/player_pages/test_player_page.py"
    "::test_the_choice_is_made_on_the_page_of_the_account": {"tournaments:person-choose"},
    "tests/tournaments/series/test_series_arrivals.py"
    "::test_one_button_checks_a_person_in_for_all_their_events": {
        "tournaments:series-arrivals-mark",
    },
    "tests/tournaments/test_every_form.py::test_a_profile_is_changed": {"profile"},
    "tests/tournaments/test_every_form.py::test_an_event_is_moved_on": {"tournaments:manage-move"},
    "tests/tournaments/test_every_form.py::test_extra_time_is_taken_back": {
        "tournaments:extension-take-back",
    },
    "tests/tournaments/series/test_series_forms.py"
    "::test_the_form_gives_the_table_that_the_rule_asks_for": {
        "tournaments:series-new",
        "tournaments:series-add",
        "tournaments:series-settings",
    },
    "tests/tournaments/series/test_series_forms.py::test_an_event_is_added_and_removed": {
        "tournaments:series-remove",
    },
    "tests/tournaments/series/test_series_forms.py::test_a_series_is_deleted_and_its_events_stay": {
        "tournaments:series-delete"
    },
    "tests/tournaments/series/test_erasing_series.py"
    "::test_the_page_erases_and_names_the_events_of_others": {
        "tournaments:series-erase",
    },
    "tests/tournaments/series/test_series_forms.py::test_a_series_is_closed_and_reopened": {
        "tournaments:series-close",
        "tournaments:series-reopen",
    },
    "tests/tournaments/series/test_series_forms.py::test_all_names_are_people_by_one_act": {
        "tournaments:series-names",
    },
    "tests/tournaments/series/test_series_forms.py::test_what_was_decided_is_taken_back": {
        "tournaments:series-decide",
        "tournaments:series-part",
    },
    "tests/tournaments/series/test_series_forms.py::test_two_people_are_joined_by_name": {
        "tournaments:series-people",
    },
    "tests/tournaments/series/test_series_forms.py::test_roles_are_given_and_removed": {
        "tournaments:series-staff",
        "tournaments:series-staff-take",
    },
    "tests/tournaments/series/test_finals_pages.py"
    "::test_one_tap_makes_the_next_evening_and_a_second_one_shows_it": {"tournaments:series-next"},
    "tests/tournaments/series/test_finals_pages.py"
    "::test_the_final_is_made_with_links_and_shows_whom_it_invited": {"tournaments:series-final"},
    "tests/tournaments/series/test_finals_pages.py::test_one_tap_replaces_who_declines": {
        "tournaments:series-replace",
    },
    "tests/tournaments/series/test_finals_pages.py"
    "::test_prizes_are_typed_shown_won_and_handed_out": {
        "tournaments:series-prizes",
        "tournaments:series-prize",
    },
}
