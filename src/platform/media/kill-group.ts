import type { ChildProcess } from 'node:child_process'

/** Ends a child that leads a group of its own, with everything that it has started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}
