import { inOrder } from '../../lib/api/in-order.ts'
import { requestNumberOf } from '../../lib/api/request-numbers.ts'
import { retryOnUnauthorized } from '../../lib/api/renew-on-unauthorized.ts'
import { api } from '../../lib/session.ts'
import { enqueue, findQueued, isOffline } from '../../lib/store/action-queue.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { Relationship } from '../../lib/api/entities.ts'
import { showToast } from '../../ui/notices/toasts.tsx'
import { applyAction, asPerformed } from './relationship-changes.ts'
import type { RelationshipAction } from './relationship-changes.ts'
import { refreshRelationship, relationshipStore } from './relationships.ts'

/**
 * Does something to an account. All buttons show the result at once, and what was before if the server refuses, with a
 * message that offers to try again. A follow waits for a network if there is none. Returns whether the server accepted
 * the action, or will get it.
 */
export async function changeRelationship(accountId: string, action: RelationshipAction): Promise<boolean> {
  if (isOffline() || findQueued('follow', accountId)) {
    if (await enqueueFollow(accountId, action)) return true
  }
  try {
    await sendRelationship(accountId, action)
    return true
  } catch {
    if (isOffline() && (await enqueueFollow(accountId, action))) return true
    showToast({
      kind: 'alert',
      text: message(`web.relationship.${action.type}-failed`),
      action: { label: message('web.retry'), run: () => void changeRelationship(accountId, action) },
    })
    return false
  }
}

/** Stores a plain follow, or its end, until there is a network. Returns false for other actions. */
async function enqueueFollow(accountId: string, action: RelationshipAction): Promise<boolean> {
  const { type } = action
  const isPlain = type === 'unfollow' || (type === 'follow' && Object.keys(action).length === 2)
  if (!isPlain) return false
  await enqueue({ type: 'follow', id: accountId, on: type === 'follow', locked: type === 'follow' && action.locked })
  return true
}

/** Does something to an account at the server, and saves the new relationship. @throws the error of the request */
export async function sendRelationship(accountId: string, action: RelationshipAction): Promise<void> {
  let performed = action
  const startedAt = new Date()
  const change = (relationship: Relationship) => applyAction(relationship, performed, startedAt)
  await relationshipStore.act(accountId, change, async () => {
    const response = await inOrder(`relationship ${accountId}`, () =>
      retryOnUnauthorized(() => request(accountId, action)),
    )
    if (!isRelationshipTo(accountId, response)) return refreshRelationship(accountId)
    performed = asPerformed(action, response)
    relationshipStore.save(response, requestNumberOf(response))
  })
}

function isRelationshipTo(accountId: string, response: unknown): response is Relationship {
  return (response as Partial<Relationship> | undefined)?.id === accountId
}

function request(accountId: string, action: RelationshipAction): Promise<unknown> {
  const { accounts, domainBlocks, followRequests } = api().v1
  const account = accounts.$select(accountId)
  switch (action.type) {
    case 'follow': {
      const { reblogs, notify, languages } = action
      return account.follow({
        ...(reblogs === undefined ? {} : { reblogs }),
        ...(notify === undefined ? {} : { notify }),
        ...(languages === undefined ? {} : { languages }),
      })
    }
    case 'unfollow':
      return account.unfollow()
    case 'remove-follower':
      return account.removeFromFollowers()
    case 'mute':
      return account.mute({ notifications: action.notifications, duration: action.seconds })
    case 'unmute':
      return account.unmute()
    case 'block':
      return account.block()
    case 'unblock':
      return account.unblock()
    case 'endorse':
      return account.endorse()
    case 'unendorse':
      return account.unendorse()
    case 'note':
      return account.note.create({ comment: action.comment })
    case 'accept':
      return followRequests.$select(accountId).authorize()
    case 'reject':
      return followRequests.$select(accountId).reject()
    case 'block-domain':
      return domainBlocks.create({ domain: action.domain })
    case 'unblock-domain':
      return domainBlocks.remove({ domain: action.domain })
  }
}
