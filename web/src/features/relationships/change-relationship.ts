import { api } from '../../lib/session.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { Relationship } from '../../lib/api/entities.ts'
import { showToast } from '../../ui/toasts.tsx'
import { applyAction } from './relationship-changes.ts'
import type { RelationshipAction } from './relationship-changes.ts'
import { refreshRelationship, relationshipStore } from './relationships.ts'

/**
 * Does something to an account. All buttons show the result at once, and what was before if the server refuses, with a
 * message that offers to try again. Returns whether the server accepted it.
 */
export async function changeRelationship(accountId: string, action: RelationshipAction): Promise<boolean> {
  const undo = relationshipStore.patch(accountId, (relationship) => applyAction(relationship, action))
  try {
    const result = await send(accountId, action)
    if (result) relationshipStore.save(result)
    else refreshRelationship(accountId)
    return true
  } catch {
    undo()
    showToast({
      kind: 'alert',
      text: message(`web.relationship.${action.type}-failed`),
      action: { label: message('web.retry'), run: () => void changeRelationship(accountId, action) },
    })
    return false
  }
}

/** Returns the new relationship; null if the server does not return it. */
async function send(accountId: string, action: RelationshipAction): Promise<Relationship | null> {
  const response = (await request(accountId, action)) as Partial<Relationship> | undefined
  return response?.id === accountId ? (response as Relationship) : null
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
