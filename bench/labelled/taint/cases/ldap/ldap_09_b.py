import sys

import ldap

BASE = "dc=example,dc=org"


def count(directory, department):
    criteria = f"(departmentNumber={department})"
    return len(directory.search_s(BASE, ldap.SCOPE_SUBTREE, criteria))


def main():
    directory = ldap.initialize("ldaps://directory.internal")
    total = 0
    for argument in sys.argv[1:]:
        total += count(directory, int(argument))
    print(total)


if __name__ == "__main__":
    main()
