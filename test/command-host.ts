import pg from 'pg'
import { runOrReport } from '../src/cli/command-error.ts'
import { createProgram } from '../src/program.ts'
import { ReusedSessions } from './services/database/reused-sessions.ts'

/**
 * Runs commands of the program one after the other, each with an environment of its own, and sends back the exit code
 * and the output of each. `runCommand` (test/run-command.ts) starts it.
 */

/** One call: the arguments, and the complete environment. */
export interface CommandCall {
  args: string[]
  env: Record<string, string>
}

/** By the URL of the database. */
const sessions = new Map<string, ReusedSessions>()

/** Returns the class of clients that use the idle sessions of earlier commands, which have read the catalogs. */
function findClientClass({ connectionString }: pg.ClientConfig): typeof pg.Client {
  // The embedded database ends with the command that started it.
  if (!connectionString) return Client
  const ofDatabase = sessions.get(connectionString) ?? new ReusedSessions()
  sessions.set(connectionString, ofDatabase)
  return ofDatabase.Client
}

const { Client, Pool } = pg
pg.Client = new Proxy(Client, {
  construct: (_class, [options]: [pg.ClientConfig]) => new (findClientClass(options))(options),
})
pg.Pool = new Proxy(Pool, {
  construct: (_class, [options]: [pg.PoolConfig]) => new Pool({ ...options, Client: findClientClass(options) }),
})

/** Ends the command as `process.exit` ends a process; nothing is printed after it. */
class ExitSignal extends Error {}

async function runInProcess({ args, env }: CommandCall): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' }
  let exitCode: number | null = null
  const capture =
    (name: keyof typeof output): typeof process.stdout.write =>
    (chunk: string | Uint8Array) => {
      if (exitCode === null) output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }
  process.stdout.write = capture('stdout')
  process.stderr.write = capture('stderr')
  process.exit = (code) => {
    exitCode ??= Number(code ?? process.exitCode ?? 0)
    throw new ExitSignal()
  }
  process.env = env
  process.exitCode = 0
  // The same as src/main.ts, but with these arguments.
  await runOrReport(async () => {
    const program = await createProgram(args[0])
    await program.parseAsync(args, { from: 'user' })
  })
  return { code: exitCode ?? readExitCode(), ...output }
}

function readExitCode(): number {
  return Number(process.exitCode ?? 0)
}

let last: Promise<void> = Promise.resolve()
process.on('message', (call: CommandCall) => {
  last = last.then(async () => void process.send?.(await runInProcess(call)))
})
