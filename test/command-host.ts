import { runOrReport } from '../src/cli/command-error.ts'
import { createProgram } from '../src/program.ts'

/**
 * Runs commands of the program one after the other, each with an environment of its own, and sends back the exit code
 * and the output of each. `runCommand` (test/run-command.ts) starts it.
 */

/** One call: the arguments, and the complete environment. */
export interface CommandCall {
  args: string[]
  env: Record<string, string>
}

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
