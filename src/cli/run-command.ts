import type { Ctx } from '../domain/context.ts'
import { runOrReport } from './command-error.ts'

/** The context of a command. `close` ends all connections, and the database if it was started for the command. */
export interface CommandContext {
  ctx: Ctx
  close(): Promise<void>
}

/**
 * Runs the work of a command with a new context, whether the server is running or not.
 * An error becomes one line on standard error and the exit code 1.
 */
export type RunCommand = (work: (ctx: Ctx) => Promise<void>) => Promise<void>

/** Returns the function with which commands run. `open`: opens a context. */
export function createRunCommand(open: () => Promise<CommandContext>): RunCommand {
  return (work) =>
    runOrReport(async () => {
      const { ctx, close } = await open()
      try {
        await work(ctx)
      } finally {
        await close()
      }
    })
}
