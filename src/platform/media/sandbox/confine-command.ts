import { execFile } from 'node:child_process'

/** Limits of a program that reads untrusted files. */
export interface ResourceLimits {
  /** Bytes of private memory. Reserved memory counts, too, so this is more than the program uses. */
  memoryBytes: number
  /** Seconds of processor time of all threads together. */
  cpuSeconds: number
  /** Maximum size of a file that it writes, in bytes. */
  fileBytes: number
}

/** The environment of a confined program. It contains no secrets of this process's environment. */
export const minimalEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LANG: 'C' }

/** Sufficient to start a wrapper on a slow machine. */
const PROBE_TIMEOUT_MS = 10_000

const probes = new Map<string, Promise<boolean>>()

/** Requests have priority. */
const NICE_COMMAND = ['nice', '-n', '10']
const NAMESPACE_COMMAND = ['unshare', '--user', '--map-current-user', '--net', '--']
/** Must be the last wrapper, because a change of the user resets the signal in the kernel. */
const DIE_WITH_PARENT_COMMAND = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']

/**
 * Returns a command that runs another one with limits, with low priority, without a network, and no longer than its
 * parent lives. Wrappers that are missing or not permitted on this system are omitted; the parent's time limit remains.
 */
export async function confineCommand(limits: ResourceLimits, command: readonly string[]): Promise<string[]> {
  const wrappers = [
    NICE_COMMAND,
    NAMESPACE_COMMAND,
    ['prlimit', '--core=0', ...prlimitOptions(limits), '--'],
    DIE_WITH_PARENT_COMMAND,
  ]
  const usable = await Promise.all(wrappers.map((wrapper) => canRunWrapper(wrapper)))
  return [...wrappers.filter((_, n) => usable[n]).flat(), ...command]
}

/** Returns whether this system permits namespaces, so that programs that read uploads run without a network. */
export function canIsolateNetwork(): Promise<boolean> {
  return canRunWrapper(NAMESPACE_COMMAND)
}

function prlimitOptions({ memoryBytes, cpuSeconds, fileBytes }: ResourceLimits): string[] {
  return [`--data=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--fsize=${fileBytes}`]
}

/** Returns whether a wrapper works on this system. The result is cached. */
function canRunWrapper(wrapper: readonly string[]): Promise<boolean> {
  const key = wrapper.join(' ')
  const cachedProbe = probes.get(key)
  if (cachedProbe) return cachedProbe
  const probe = new Promise<boolean>((resolve) => {
    const [program = '', ...args] = wrapper
    execFile(program, [...args, 'true'], { timeout: PROBE_TIMEOUT_MS, env: minimalEnvironment }, (err) =>
      resolve(err === null),
    )
  })
  probes.set(key, probe)
  return probe
}
