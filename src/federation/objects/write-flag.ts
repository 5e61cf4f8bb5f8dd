import { toJson } from '../../lib/json.ts'
import { PLAIN_CONTEXT } from '../wire/context.ts'
import type { Activity } from './write-activities.ts'

/**
 * Somebody is reported: to other servers always by the server itself, whoever it was. `objects`: whom, and what of
 * theirs. `content` is what was written to it, as plain text.
 */
export function writeFlag({ uri, actor, objects, content }: Flag): Activity {
  const flag = { id: uri, type: 'Flag', actor, content, object: objects }
  return { uri, context: PLAIN_CONTEXT, json: toJson(flag) }
}

interface Flag {
  uri: string
  actor: string
  objects: readonly string[]
  content: string
}
