import { spawn } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * How PostgreSQL, which refuses to run as root, is started.
 * - `self`: we are not root; as ourselves.
 * - `drop`: as root, under another user.
 * - `setpriv`: the same, but that user may pass folders which only root may enter (root's home, mostly).
 * - `unshare`: as root in a user namespace in which root has another number; the files stay root's.
 */
type WayName = 'self' | 'drop' | 'setpriv' | 'unshare'

export interface User {
  uid: number
  gid: number
}

export interface Way {
  name: WayName
  /** The user as whom PostgreSQL sees itself. */
  user: User
  /** The user to whom its files must belong on the disk. */
  files: User
}

/** The ways that can be tried here, the most confined first. */
export function waysFor(user: User | null): Way[] {
  if (!isRoot()) {
    const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    return [{ name: 'self', user: self, files: self }]
  }
  if (user === null) return []
  const drop: Way = { name: 'drop', user, files: user }
  if (process.platform !== 'linux') return [drop]
  // In a namespace of its own the number is free to choose, and initdb wants one with a name.
  const named = findPlainUser() ?? user
  return [drop, { name: 'setpriv', user, files: user }, { name: 'unshare', user: named, files: { uid: 0, gid: 0 } }]
}

/**
 * The same way under a user with a name, which initdb insists on and the server does not. Only the group stays, so that
 * folders that are open to the database's group are open to initdb.
 */
export function wayForInitdb(way: Way): Way {
  const named = findPlainUser()
  if (!isOwnUser(way.user) || named === null) return way
  const user = { uid: named.uid, gid: way.user.gid }
  return { ...way, user, files: user }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** A user without rights that this machine knows by name (initdb insists on a name), or null. */
export function findPlainUser(): User | null {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['nobody', 'postgres', 'daemon']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    // macOS writes -2; on the disk the same number is unsigned.
    if (uid && gid && Number(uid) !== 0) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  return null
}

/**
 * Ids that neither systemd nor the distributions give to anybody, and that exist in a container with the usual 65,536
 * ids (systemd: "Users, Groups, UIDs and GIDs on systemd Systems").
 */
const FIRST_OWN_ID = 60_578
const OWN_IDS = 606

/** Whether this is a user whom only a database of Linnet has. */
export function isOwnUser({ uid, gid }: User): boolean {
  return uid === gid && uid >= FIRST_OWN_ID && uid < FIRST_OWN_ID + OWN_IDS && !readNamedIds().has(uid)
}

/**
 * A user id and group id for the database of this data folder alone: the same at each start, and no other program's.
 * They need no entry in /etc/passwd.
 */
export function findOwnUser(dataDir: string): User {
  const named = readNamedIds()
  const first = createHash('sha256').update(dataDir).digest().readUInt32BE(0)
  for (let step = 0; ; step += 1) {
    const id = FIRST_OWN_ID + ((first + step) % OWN_IDS)
    if (!named.has(id) || step === OWN_IDS) return { uid: id, gid: id }
  }
}

/** The numbers of all users and groups that this machine knows by name. */
function readNamedIds(): Set<number> {
  const lines = ['/etc/passwd', '/etc/group'].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return new Set(lines.map((line) => Number(line.split(':')[2])))
}

/** Runs a program in that way. The process id is the program's own: every way ends in an exec. */
export function spawnIn(way: Way, program: string, args: string[], options: SpawnOptions): ChildProcess {
  const { uid, gid } = way.user
  // The current folder may be closed to that user, and PostgreSQL asks for it.
  const common = { cwd: '/', ...options }
  switch (way.name) {
    case 'self':
      return spawn(program, args, common)
    case 'drop':
      return spawn(program, args, { ...common, uid: uid | 0, gid: gid | 0 })
    case 'setpriv':
      return spawn('setpriv', [...passingEveryFolder({ uid, gid }), program, ...args], common)
    case 'unshare':
      return spawn('unshare', ['--user', `--map-user=${uid}`, `--map-group=${gid}`, program, ...args], common)
  }
}

function passingEveryFolder({ uid, gid }: User): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    // Without this bit access(2), by which PostgreSQL checks its own files, ignores the capability.
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ]
}

/** Runs a program to its end: its exit code (null when it could not be run at all) and what it said. */
export async function runIn(
  way: Way,
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    // A session of its own: Ctrl-C and a closed terminal are for this process alone, which then stops in good order.
    const child = spawnIn(way, program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => (output += chunk.toString())
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.once('error', (err) => resolve({ code: null, output: err.message }))
    child.once('close', (code) => resolve({ code, output: output.trim() }))
  })
}
