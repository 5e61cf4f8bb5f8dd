import { signFormTime } from '../../../src/http/pages/sign-up/detect-programs.ts'
import type { TestServer } from '../../servers/test-server.ts'

/** Returns the fields of a sign-up form that a user began to fill in a minute ago. */
export function slowFields({ ctx }: TestServer): Record<string, string> {
  return { shown_at: signFormTime(ctx, { now: new Date(ctx.now().getTime() - 60_000) }) }
}
