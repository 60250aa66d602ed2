"""Play a host that lacks something: run a command under a filter that refuses system calls.

    python host.py namespaces,landlock -- COMMAND...

A program for the tests, not a test. What can be lacking: ``namespaces`` (as in most containers),
``landlock`` (as before Linux 5.13), ``seccomp``, ``fork`` (as at a user's limit of processes).
"""

import errno
import os
import sys

from builder.sandbox import layers, seccomp

PR_SET_SECCOMP = 22
seccomp.NUMBERS.update(
    unshare=(272, 97),
    landlock_create_ruleset=(444, 444),
    prctl=(157, 167),
    clone=(56, 220),
    clone3=(435, 435),
    fork=(57, None),
    vfork=(58, None),
)
ALLOW = (seccomp.RETURN, 0, 0, seccomp.ALLOW)
LACKING = {
    "namespaces": seccomp.answer("unshare", seccomp.REFUSE | errno.EPERM),
    "landlock": seccomp.answer("landlock_create_ruleset", seccomp.REFUSE | errno.ENOSYS),
    "seccomp": seccomp.guarded(
        "prctl",
        [
            seccomp.argument(0),
            (seccomp.JUMP_EQUAL, 0, 1, PR_SET_SECCOMP),
            (seccomp.RETURN, 0, 0, seccomp.REFUSE | errno.EINVAL),
            ALLOW,
        ],
    ),
    "fork": seccomp.answer("clone clone3 fork vfork", seccomp.REFUSE | errno.EAGAIN),
}

if __name__ == "__main__":
    lacking, _, *command = sys.argv[1:]
    program = seccomp.head()
    for name in filter(None, lacking.split(",")):
        program += LACKING[name]
    layers.forbid_new_privileges()
    seccomp.install(seccomp.assemble([*program, ALLOW]))
    os.execvp(command[0], command)
