import type { FastifyServerOptions } from 'fastify'
import { preferredKind } from '../../lib/accept.ts'
import type { AnswerKind } from '../../lib/accept.ts'

/**
 * Lets two routes share an address: `constraints: { answers: 'page' }` on one, `'document'` on the other, and the header
 * `Accept` decides. Who names neither gets the page: whatever looks at links for people asks like that.
 */
export const answerKinds: NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']> = {
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
      if (kind !== 'page' && kind !== 'document') throw new TypeError(`A route can not answer with ${String(kind)}`)
    },
    deriveConstraint: ({ headers }: { headers: { accept?: string } }): AnswerKind =>
      preferredKind(headers.accept) ?? 'page',
  },
}

/** How the table of authorisation calls a route that shares its address. */
export function answersOf(constraints: object | undefined): string {
  const { answers } = (constraints ?? {}) as { answers?: AnswerKind }
  return answers === undefined ? '' : ` as ${answers}`
}
