import type { ChildProcess } from 'node:child_process'

/** Kills a child process that leads a process group, and all processes of the group. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}
