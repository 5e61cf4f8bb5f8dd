import { attempt, reportFailure } from './cli/failure.ts'
import { createProgram } from './program.ts'

const [, , name] = process.argv

// A command ends when the reader of its output has read enough, as `head` does. The server goes on without readers.
if (name !== 'serve') {
  process.stdout.on('error', (err: NodeJS.ErrnoException) => process.exit(err.code === 'EPIPE' ? 0 : 1))
}
process.on('uncaughtException', (err) => {
  reportFailure(err)
  process.exit()
})

await attempt(async () => {
  const program = await createProgram(name)
  await program.parseAsync()
})
