import { execFile } from 'node:child_process'

/** What a program that reads the files of strangers may use. */
export interface Confinement {
  /** Bytes of memory of its own. What it only reserves counts too, so this is more than it fills. */
  memoryBytes: number
  /** Seconds of processor time, over all its threads. */
  cpuSeconds: number
  /** Bytes of any one file that it writes. */
  fileBytes: number
}

/** All that a confined program gets to know: none of the secrets that stand in our environment. */
export const bareEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LANG: 'C' }

/** Long enough to start any of the tools, on any machine. */
const TRIAL_MS = 10_000

const trials = new Map<string, Promise<boolean>>()

/** Whoever asks for a page goes first. */
const NICE = ['nice', '-n', '10']
const NAMESPACES = ['unshare', '--user', '--map-current-user', '--net', '--']
/** The last one, since a change of identity makes the kernel forget it. */
const DEATH_WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']

/**
 * The command that runs another one within limits, behind others, without a network, and not beyond the death of its
 * parent. Where the tools of util-linux are absent or not allowed to do so, the parent's own limit of time is what stays.
 */
export async function confine(limits: Confinement, command: readonly string[]): Promise<string[]> {
  const wrappers = [NICE, NAMESPACES, ['prlimit', '--core=0', ...limitsOf(limits), '--'], DEATH_WITH_PARENT]
  const usable = await Promise.all(wrappers.map((wrapper) => tryOut(wrapper)))
  return [...wrappers.filter((_, n) => usable[n]).flat(), ...command]
}

/** Whether programs that read uploads run without a network: this system grants namespaces to us. */
export function canCutNetwork(): Promise<boolean> {
  return tryOut(NAMESPACES)
}

function limitsOf({ memoryBytes, cpuSeconds, fileBytes }: Confinement): string[] {
  return [`--data=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--fsize=${fileBytes}`]
}

/** Whether the wrapper can run anything here: asked once. */
function tryOut(wrapper: readonly string[]): Promise<boolean> {
  const key = wrapper.join(' ')
  const known = trials.get(key)
  if (known) return known
  const trial = new Promise<boolean>((resolve) => {
    const [program = '', ...args] = wrapper
    execFile(program, [...args, 'true'], { timeout: TRIAL_MS, env: bareEnvironment }, (err) => resolve(err === null))
  })
  trials.set(key, trial)
  return trial
}
