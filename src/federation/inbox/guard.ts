import { createHash } from 'node:crypto'
import { Unauthorized } from '../../lib/errors.ts'
import type { ActivityHead } from '../objects/read-activity.ts'
import { isSameHost } from '../wire/read.ts'

/**
 * The key, the one who acts and the activity must be of one server: nobody speaks for another's.
 * @throws Unauthorized
 */
export function guardOrigins({ id, actor }: ActivityHead, { keyId }: { keyId: string }): void {
  if (!isSameHost(keyId, actor)) throw new Unauthorized('The key is not one of the actor’s server')
  if (id !== null && !isSameHost(id, actor)) throw new Unauthorized('The activity is not one of the actor’s server')
}

/** Under what an activity is remembered: its id, or for one without, what it says. */
export function nameOf({ id }: ActivityHead, { body }: { body: Buffer }): string {
  return id ?? `sha256:${createHash('sha256').update(body).digest('base64url')}`
}
