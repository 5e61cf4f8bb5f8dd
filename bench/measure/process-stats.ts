import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

interface Process {
  pid: number
  parent: number
  /** The processor time used by the process and its ended children. */
  cpuMs: number
}

/** Reads a process from `/proc`; returns null if it has ended. */
function readProcess(pid: number): Process | null {
  try {
    // The name may contain any character, so the fields are counted from its closing parenthesis.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
    return { pid, parent: fields[1] ?? 0, cpuMs: (user + system + childrenUser + childrenSystem) * TICK_MS }
  } catch {
    return null
  }
}

function readAll(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((one) => one !== null)
}

/** Returns the process id of the PostgreSQL that runs in this data folder. */
export function findPostmaster(dataDir: string): number {
  for (const { pid } of readAll()) {
    const command = readCommand(pid)
    if (command[0]?.endsWith('/postgres') && command.some((word) => word.startsWith(dataDir))) return pid
  }
  throw new Error(`No PostgreSQL runs in ${dataDir}`)
}

function readCommand(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function familyOf(pid: number): Process[] {
  return readAll().filter((one) => one.pid === pid || one.parent === pid)
}

/**
 * Returns the processor time in milliseconds, of the process alone or with its children except one. The time of a child
 * counts when it is used, not when the child ends.
 */
export function cpuOf(
  pid: number,
  { withChildren = false, except }: { withChildren?: boolean; except?: number } = {},
): number {
  const all = withChildren
    ? familyOf(pid).filter((one) => one.pid !== except)
    : [readProcess(pid)].filter((one) => one !== null)
  return all.reduce((sum, one) => sum + one.cpuMs, 0)
}

/** Returns the memory in MB, with proportional shares of shared memory (PSS). `except`: children that do not count. */
export function memoryOf(
  pid: number,
  { withChildren = false, except = new Set() }: { withChildren?: boolean; except?: ReadonlySet<number> } = {},
): number {
  const pids = withChildren ? familyOf(pid).map((one) => one.pid) : [pid]
  return sumMemory(pids.filter((one) => !except.has(one)))
}

/** Returns the memory in MB (PSS) of the children whose command line matches. */
export function memoryOfChildren(pid: number, pattern: RegExp): number {
  const children = readAll().filter((one) => one.parent === pid && pattern.test(readCommand(one.pid).join(' ')))
  return sumMemory(children.map((one) => one.pid))
}

/** Returns the shared memory of the process and its children in MB, such as PostgreSQL's `shared_buffers`. */
export function sharedMemoryOf(pid: number): number {
  return sumMemory(
    familyOf(pid).map((one) => one.pid),
    /^Pss_Shmem:\s+(\d+)/m,
  )
}

function sumMemory(pids: readonly number[], line = /^Pss:\s+(\d+)/m): number {
  const kilobytes = pids.map((one) => {
    try {
      return Number(line.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}
