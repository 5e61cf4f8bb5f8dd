import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { CommandCall } from './command-host.ts'
import type { Outcome } from './servers/linnet-process.ts'

const HOST = new URL('command-host.ts', import.meta.url)

/** A process that runs commands, one after the other. It ends when its channel closes, so never later than this one. */
interface Host {
  process: ChildProcess
  last: Promise<unknown>
}

/** The hosts by the variables that Node reads at its start. Test files in one process share them. */
const hosts = new Map<string, Host>()

/**
 * Runs a command of the program with exactly this environment, and returns its exit code and output. Calls share a
 * process that has loaded the program, and run one after the other, because loading takes longer than most commands.
 * Tests of the process itself (signals, closed output, concurrent processes) use `runLinnet`.
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

/** @throws Error if the process ends without a result */
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

/** Returns the environment variables that every program needs. */
function pathsOfSystem(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME }
}
