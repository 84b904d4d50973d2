import os
import subprocess

DEFAULT_BRANCH = "main"


def current_branch(env=os.environ):
    return env.get("DEPLOY_BRANCH", DEFAULT_BRANCH)


def deploy(target="/srv/app"):
    branch = current_branch()
    script = f"cd {target} && git fetch && git checkout {branch}"
    subprocess.run(["bash", "-c", script], check=True)


if __name__ == "__main__":
    deploy()
