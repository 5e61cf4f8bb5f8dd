import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import { ValidationFailed } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { paths, signInPath } from '../paths.ts'

/**
 * Who is signed in and may change their own account: everybody whose account is in use, and who has moved away from it.
 * null: the reply leads to where they come to that, and back to `path`.
 */
export function ownerOf(
  request: FastifyRequest,
  { reply, path }: { reply: FastifyReply; path: string },
): Viewer | null {
  const { viewer } = request
  if (viewer?.standing === 'usable' || viewer?.standing === 'moved') return viewer
  void reply.redirect(viewer ? paths.account : signInPath(path), 303)
  return null
}

/** What a form did wrong; empty: nothing. @throws whatever else goes wrong */
export async function problemsOf(work: Promise<unknown>): Promise<readonly FieldError[]> {
  return work.then(
    () => [],
    (err: unknown) => {
      if (err instanceof ValidationFailed) return err.fields
      throw err
    },
  )
}

/** The reply to a form, by what it did wrong. */
export function codeOf(reply: FastifyReply, errors: readonly FieldError[]): FastifyReply {
  return errors.length === 0 ? reply : reply.code(422)
}
