import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'

/** More than the suite needs. */
const REQUIRED_BYTES = 4 * 2 ** 30

/**
 * Creates the folder for the temporary files of a run, in memory if there is enough space. A database consists of nearly
 * a thousand files and waits for the disk at each commit: in memory, creating and copying one costs a tenth of what it
 * costs on a disk.
 */
export function createTemporaryFolder(): string {
  return createInMemory() ?? createIn(tmpdir())
}

function createIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'linnet-'))
  // As in `/tmp`, the other users that some tests start programs with have access.
  chmodSync(folder, 0o1777)
  return folder
}

/** Returns null if there is too little space, or if the memory must not contain programs, which some tests write. */
function createInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < REQUIRED_BYTES) return null
    const folder = createIn(MEMORY)
    if (canExecuteIn(folder)) return folder
    rmSync(folder, { recursive: true })
  } catch {
    // The system has no such folder.
  }
  return null
}

function canExecuteIn(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(program).status === 0
}
