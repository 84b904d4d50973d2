from program import Event, EventLog


def test_many_logs_are_apart():
    logs = [EventLog(minimum="info") for _ in range(3)]
    for number, log in enumerate(logs):
        for at in range(number):
            log.record(at, "info", "x")
    assert [len(log.events) for log in logs] == [0, 1, 2]


def test_given_events_are_kept():
    log = EventLog([Event(1, "error", "x")])
    log.record(2, "info", "y")
    assert log.count() == {"debug": 0, "info": 1, "warning": 0, "error": 1}


def test_callers_list_is_left_alone():
    mine = []
    EventLog(mine).record(1, "info", "x")
    assert mine == []
