import type { FastifyServerOptions } from 'fastify'
import { preferredRepresentation } from '../../../lib/http/preferred-representation.ts'
import type { RepresentationKind } from '../../../lib/http/preferred-representation.ts'

/**
 * A route constraint for two routes with the same path: `constraints: { answers: 'page' }` on one, `'document'` on the
 * other. The header `Accept` selects the route. Requests that name neither type get the page, since programs that fetch
 * link previews send such headers.
 */
export const acceptConstraint: NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']> = {
  answers: {
    name: 'answers',
    storage() {
      const handlers = new Map<unknown, unknown>()
      return {
        get: (kind: unknown) => (handlers.get(kind) as never) ?? null,
        set: (kind: unknown, handler: unknown) => void handlers.set(kind, handler),
      }
    },
    validate(kind: unknown) {
      if (kind !== 'page' && kind !== 'document') throw new TypeError(`A route cannot answer with ${String(kind)}`)
    },
    deriveConstraint: ({ headers }: { headers: { accept?: string } }): RepresentationKind =>
      preferredRepresentation(headers.accept) ?? 'page',
  },
}

/** Returns the suffix of a route with this constraint in the keys of the route policies. */
export function constraintSuffixOf(constraints: object | undefined): string {
  const { answers } = (constraints ?? {}) as { answers?: RepresentationKind }
  return answers === undefined ? '' : ` as ${answers}`
}
