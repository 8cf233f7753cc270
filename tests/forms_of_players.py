"""Which test stores something by each form of players, and of the staff about them."""

OF_PLAYERS: dict[str, set[str]] = {
    "tests/tournaments/joining/test_join_pages.py"
    "::test_a_player_finds_the_name_shows_the_code_and_gets_the_page": {
        "tournaments:join",
        "tournaments:desk-join-confirm",
    },
    "tests/tournaments/joining/test_join_pages.py"
    "::test_a_wrong_tap_is_given_back_and_a_refusal_asks_again": {
        "tournaments:desk-join-refuse",
    },
    "tests/tournaments/joining/test_join_pages.py::test_who_is_signed_in_is_told_and_refuses": {
        "tournaments:my-join-refuse"
    },
    "tests/tournaments/players/test_departures.py"
    "::test_one_tap_asks_and_the_desk_takes_the_player_back_by_one_click": {
        "tournaments:manage-player-return",
        "tournaments:my-return",
    },
    "tests/tournaments/personal/test_player_pages.py"
    "::test_a_report_is_read_once_more_then_confirmed_by_one_tap": {
        "tournaments:my-confirm",
        "tournaments:my-report",
    },
    "tests/tournaments/tables/test_reports_of_tables.py"
    "::test_one_contradicts_and_a_judge_is_awaited_until_they_confirm": {
        "tournaments:my-contradict",
    },
    "tests/tournaments/arrivals/test_arrivals.py"
    "::test_marking_answers_with_the_row_and_the_counts": {"tournaments:arrivals-mark"},
    "tests/tournaments/arrivals/test_photos.py::test_a_photo_of_a_code_leads_to_its_player": {
        "tournaments:arrivals-photo",
    },
    "tests/tournaments/arrivals/test_arrivals.py::test_a_code_only_checks_in": {
        "tournaments:arrive",
    },
    "tests/tournaments/arrivals/test_arrivals.py::test_many_shows_whom_first": {
        "tournaments:arrivals-absent",
    },
    "tests/tournaments/arrivals/test_arrivals.py::test_all_and_those_without_a_list_by_the_page": {
        "tournaments:arrivals-all",
        "tournaments:arrivals-no-list",
    },
    "tests/tournaments/questions/test_pages.py::test_the_organiser_asks_and_removes": {
        "tournaments:manage-questions",
    },
    "tests/tournaments/questions/test_pages.py::test_the_staff_fill_in_answers": {
        "tournaments:manage-player-answers",
    },
    "tests/tournaments/questions/test_pages.py::test_a_player_changes_answers_until_it_closes": {
        "tournaments:my-answers",
    },
    "tests/tournaments/players/test_contacts.py::test_a_player_changes_their_own": {
        "tournaments:my-contact",
    },
    "tests/tournaments/players/test_contacts.py::test_the_organiser_says_what_is_asked_for": {
        "tournaments:manage-contact",
    },
    "tests/tournaments/players/test_contacts.py"
    "::test_organisers_change_it_by_the_page_and_others_of_the_staff_do_not_see_it": {
        "tournaments:manage-player-contact",
    },
    "tests/tournaments/arrivals/test_waiting.py::test_the_door_lets_in_who_is_here": {
        "tournaments:arrivals-waiting",
    },
    "tests/tournaments/players/test_departures.py::test_the_staff_corrects_it_by_the_page": {
        "tournaments:manage-player-left",
    },
    "tests/tournaments/arrivals/test_waiting.py::test_the_players_page_lets_in": {
        "tournaments:manage-player-enter",
    },
    "tests/tournaments/arrivals/test_fee.py::test_presence_and_money_are_never_one_act": {
        "tournaments:arrivals-fee",
    },
    "tests/tournaments/arrivals/test_fee.py::test_the_organiser_sets_the_time_at_the_door": {
        "tournaments:arrivals-opens",
    },
    "tests/tournaments/players/test_links_for_all.py"
    "::test_they_are_shown_once_and_only_to_who_made_them": {"tournaments:manage-links"},
}
