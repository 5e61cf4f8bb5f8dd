import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import { ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { paths, signInPath } from '../paths.ts'
import { acceptsState } from './page-states.ts'
import type { OwnPage } from './page-states.ts'

/**
 * Returns the user who is logged in, if `page` accepts the state of their account. Otherwise returns null and redirects:
 * to the page of the account if the user is logged in, else to the log-in, which returns to `path`, by default the path
 * of the page.
 */
export function requireUser(
  request: FastifyRequest,
  { reply, page, path = page }: { reply: FastifyReply; page: OwnPage; path?: string },
): Viewer | null {
  const { viewer } = request
  if (viewer && acceptsState(page, viewer.accountState)) return viewer
  void reply.redirect(viewer ? paths.account : signInPath(path), 303)
  return null
}

/** Returns the validation errors of an action; an empty list if it succeeded. Rethrows all other errors. */
export async function problemsOf(action: Promise<unknown>): Promise<readonly FieldError[]> {
  return action.then(
    () => [],
    (err: unknown) => {
      if (err instanceof ValidationError) return err.fields
      throw err
    },
  )
}

/** Sets the status code 422 if a form has errors, and returns the reply. */
export function codeOf(reply: FastifyReply, errors: readonly FieldError[]): FastifyReply {
  return errors.length === 0 ? reply : reply.code(422)
}
