import type { Ctx } from '../domain/context.ts'
import { attempt } from './failure.ts'

/** What a command works with; `close` ends every connection, and the database if it was started for the command. */
export interface Opened {
  ctx: Ctx
  close(): Promise<void>
}

/**
 * Does the work of a command with a context of its own, whether the server runs or not.
 * Work that throws becomes one line on standard error and the exit code 1.
 */
export type Run = (work: (ctx: Ctx) => Promise<void>) => Promise<void>

/** Makes the `run` that commands are given. `open` is how a context comes to be. */
export function createRun(open: () => Promise<Opened>): Run {
  return (work) =>
    attempt(async () => {
      const { ctx, close } = await open()
      try {
        await work(ctx)
      } finally {
        await close()
      }
    })
}
