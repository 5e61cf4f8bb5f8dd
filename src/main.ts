import { constants } from 'node:os'
import { runOrReport, reportError } from './cli/command-error.ts'
import { createProgram } from './program.ts'

// The program of `bin/linnet`: runs the command of its first argument.

const [, , name] = process.argv
// A command ends when its output pipe is closed, for example by `head`. The server continues without readers.
// A signal ends it with the functions that run at the exit: they stop a database that it has started.
if (name !== 'serve') {
  process.stdout.on('error', (err: NodeJS.ErrnoException) => {
    if (err.code === 'EPIPE') process.exit(0)
    reportError(err)
    process.exit()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
}
process.on('uncaughtException', (err) => {
  reportError(err)
  process.exit()
})

await runOrReport(async () => {
  const program = await createProgram(name)
  await program.parseAsync()
})
