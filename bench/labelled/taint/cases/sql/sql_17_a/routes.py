from flask import Blueprint, jsonify, request

from .repository import MemberRepository

bp = Blueprint("members", __name__)


@bp.route("/members")
def member_list():
    criteria = {"team": request.args.get("team", "blue"), "limit": 25}
    repository = MemberRepository("members.db")
    members = repository.by_team(**criteria)
    return jsonify(members=members)
