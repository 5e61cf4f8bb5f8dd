import { isId } from '../../lib/ids.ts'
import type { Config } from '../../platform/config/config.ts'

// The thread that a local federated status begins has the URI of its collection (FEP-7888), with the ids of the account
// and of the status. A thread that no remote server has named also has a tag URI (RFC 4151) with its own id.

/** An SQL expression for the URI of the thread that a local status begins. */
export const threadUri = ({ origin, accountId, statusId }: { origin: string; accountId: string; statusId: string }) =>
  `${origin} || '/contexts/' || ${accountId} || '-' || ${statusId}`

/** Returns the tag URI of a thread that no remote server has named. `day`: its date as `YYYY-MM-DD`. */
export function conversationTag({ localDomain }: Config, { id, day }: { id: string; day: string }): string {
  return `tag:${localDomain},${day}:objectId=${id}:objectType=Conversation`
}

/** Returns the id in a tag URI of this server; null for other URIs. */
export function readConversationTag({ localDomain }: Config, uri: string | null): string | null {
  if (uri === null || !uri.startsWith(`tag:${localDomain},`)) return null
  const id = /^,\d{4}-\d\d-\d\d:objectId=(\d+):objectType=Conversation$/.exec(uri.slice(4 + localDomain.length))?.[1]
  return isId(id) ? id : null
}

/** Returns whether only this server may give a thread this URI. */
export function isLocalConversation({ origin, localDomain }: Config, uri: string): boolean {
  return uri.startsWith(`${origin}/`) || uri.startsWith(`tag:${localDomain},`)
}
