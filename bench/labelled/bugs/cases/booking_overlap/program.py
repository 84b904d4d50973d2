"""Rooms of a hotel; nights are numbered days."""


class NoRoom(Exception):
    pass


class Stay:
    def __init__(self, guest, arrival, departure):
        if departure <= arrival:
            raise ValueError("a stay has at least one night")
        self.guest = guest
        self.arrival = arrival
        self.departure = departure

    @property
    def nights(self):
        return self.departure - self.arrival


class Hotel:
    def __init__(self, rooms):
        self.stays = {room: [] for room in rooms}

    def is_free(self, room, arrival, departure):
        for stay in self.stays[room]:
            if arrival < stay.departure or departure > stay.arrival:
                return False
        return True

    def book(self, guest, arrival, departure):
        stay = Stay(guest, arrival, departure)
        for room in sorted(self.stays):
            if self.is_free(room, arrival, departure):
                self.stays[room].append(stay)
                return room
        raise NoRoom(guest)

    def guests_on(self, night):
        return sorted(
            stay.guest for stays in self.stays.values() for stay in stays if stay.arrival <= night < stay.departure
        )

    def occupancy(self, night):
        return len(self.guests_on(night)) / len(self.stays)
