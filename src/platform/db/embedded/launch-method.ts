import { spawn } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * How PostgreSQL, which refuses to run as root, is started.
 * - `self`: as the user of this process, which is not root.
 * - `drop`: by root, as another user.
 * - `setpriv`: like `drop`, but that user can traverse folders that only root may enter (usually root's home).
 * - `unshare`: by root, in a user namespace that maps root to another user id. The files belong to root.
 */
type LaunchMethodName = 'self' | 'drop' | 'setpriv' | 'unshare'

export interface SystemUser {
  uid: number
  gid: number
}

export interface LaunchMethod {
  name: LaunchMethodName
  /** The user that PostgreSQL runs as, from its own view. */
  user: SystemUser
  /** The user that must own its files on the disk. */
  fileOwner: SystemUser
}

/** Returns the launch methods that this system can try, the most restricted first. */
export function listLaunchMethods(user: SystemUser | null): LaunchMethod[] {
  if (!isRoot()) {
    const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    return [{ name: 'self', user: self, fileOwner: self }]
  }
  if (user === null) return []
  const drop: LaunchMethod = { name: 'drop', user, fileOwner: user }
  if (process.platform !== 'linux') return [drop]
  // A user namespace can map to any user id, and initdb needs one that has a name.
  const namedUser = findUnprivilegedUser() ?? user
  return [
    drop,
    { name: 'setpriv', user, fileOwner: user },
    { name: 'unshare', user: namedUser, fileOwner: { uid: 0, gid: 0 } },
  ]
}

/**
 * Returns the launch method with a user that has a name, which initdb requires and the server does not. The group is
 * the same, so that initdb can access the folders that the database's group can access.
 */
export function launchMethodForInitdb(launchMethod: LaunchMethod): LaunchMethod {
  const named = findUnprivilegedUser()
  if (!isDedicatedUser(launchMethod.user) || named === null) return launchMethod
  const user = { uid: named.uid, gid: launchMethod.user.gid }
  return { ...launchMethod, user, fileOwner: user }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Returns an unprivileged user that has a name on this system, which initdb requires, or null. */
export function findUnprivilegedUser(): SystemUser | null {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['nobody', 'postgres', 'daemon']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    // macOS has -2; file systems store it as an unsigned number.
    if (uid && gid && Number(uid) !== 0) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  return null
}

/**
 * Ids that neither systemd nor distributions assign, and that exist in a container with the usual 65,536 ids (systemd:
 * "Users, Groups, UIDs and GIDs on systemd Systems").
 */
const FIRST_DEDICATED_ID = 60_578
const DEDICATED_ID_COUNT = 606

/** Returns whether a user id is in the range of `findDedicatedUser` and has no name. */
export function isDedicatedUser({ uid, gid }: SystemUser): boolean {
  return (
    uid === gid &&
    uid >= FIRST_DEDICATED_ID &&
    uid < FIRST_DEDICATED_ID + DEDICATED_ID_COUNT &&
    !readNamedIds().has(uid)
  )
}

/**
 * Returns a user id and group id for the database of this data folder: the same at each start, and not used by other
 * programs. They need no entry in /etc/passwd.
 */
export function findDedicatedUser(dataDir: string): SystemUser {
  const named = readNamedIds()
  const first = createHash('sha256').update(dataDir).digest().readUInt32BE(0)
  for (let step = 0; ; step += 1) {
    const id = FIRST_DEDICATED_ID + ((first + step) % DEDICATED_ID_COUNT)
    if (!named.has(id) || step === DEDICATED_ID_COUNT) return { uid: id, gid: id }
  }
}

/** Returns the ids of all users and groups that have a name on this system. */
function readNamedIds(): Set<number> {
  const lines = ['/etc/passwd', '/etc/group'].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return new Set(lines.map((line) => Number(line.split(':')[2])))
}

/** Starts a program. The process id is that of the program, because every launch method ends in an exec. */
export function spawnWith(
  launchMethod: LaunchMethod,
  program: string,
  args: string[],
  options: SpawnOptions,
): ChildProcess {
  const { uid, gid } = launchMethod.user
  // PostgreSQL determines the current folder, which the user may not be able to access.
  const common = { cwd: '/', ...options }
  switch (launchMethod.name) {
    case 'self':
      return spawn(program, args, common)
    case 'drop':
      return spawn(program, args, { ...common, uid: uid | 0, gid: gid | 0 })
    case 'setpriv':
      return spawn('setpriv', [...setprivOptions({ uid, gid }), program, ...args], common)
    case 'unshare':
      return spawn('unshare', ['--user', `--map-user=${uid}`, `--map-group=${gid}`, program, ...args], common)
  }
}

function setprivOptions({ uid, gid }: SystemUser): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    // PostgreSQL checks its files with access(2), which ignores the capability without this bit.
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ]
}

/** Runs a program and returns its exit code (null if it could not be started) and its output. */
export async function runWith(
  launchMethod: LaunchMethod,
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    // A separate session, so that Ctrl-C and a closed terminal signal only this process, which then stops in order.
    const child = spawnWith(launchMethod, program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const append = (chunk: Buffer) => (output += chunk.toString())
    child.stdout?.on('data', append)
    child.stderr?.on('data', append)
    child.once('error', (err) => resolve({ code: null, output: err.message }))
    child.once('close', (code) => resolve({ code, output: output.trim() }))
  })
}
