import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { CommandCall } from './command-host.ts'
import type { Outcome } from './linnet.ts'

const HOST = new URL('command-host.ts', import.meta.url)

/** A process that runs commands, one after the other. It ends when its channel closes, so it does not outlive this one. */
interface Host {
  process: ChildProcess
  last: Promise<unknown>
}

/** By the variables that Node itself reads, which it does only when it starts. Files that share a process share them. */
const hosts = new Map<string, Host>()

/**
 * Runs a command of the program with exactly this environment, and returns its exit code and output. Calls share a
 * process that has the program loaded, and run one after the other: loading it takes longer than most commands. For tests
 * of the process itself (signals, closed output, several at once) there is `runLinnet`.
 */
export function runCommand(args: string[], env: Record<string, string>): Promise<Outcome> {
  const nodeEnv = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('NODE_')))
  const key = JSON.stringify(nodeEnv)
  const host = hosts.get(key) ?? startHost(nodeEnv)
  hosts.set(key, host)
  const outcome = host.last.then(() => call(host.process, { args, env: { ...pathsOfSystem(), ...env } }))
  host.last = outcome.catch(() => hosts.delete(key))
  return outcome
}

function startHost(nodeEnv: Record<string, string>): Host {
  const child = fork(HOST, {
    execArgv: [],
    env: { ...process.env, ...nodeEnv },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return { process: child, last: Promise.resolve() }
}

/** @throws Error when the process ends instead of answering */
async function call(child: ChildProcess, command: CommandCall): Promise<Outcome> {
  child.ref()
  child.channel?.ref()
  const outcome = new Promise<Outcome>((resolve, reject) => {
    const fail = (code: number | null, signal: string | null): void =>
      reject(new Error(`The process of the commands ended (${signal ?? code})`))
    child.once('exit', fail).once('message', (answer) => {
      child.off('exit', fail).unref()
      child.channel?.unref()
      resolve(answer as Outcome)
    })
  })
  child.send(command)
  return outcome
}

/** What any program needs of the environment. */
function pathsOfSystem(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME }
}
