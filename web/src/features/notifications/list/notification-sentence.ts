import type { Account } from '../../../lib/api/entities.ts'
import { PLACE } from '../../../lib/i18n/split-message.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { currentAccountId } from '../../../lib/session.ts'
import type { IconName } from '../../../ui/icons/icon.tsx'
import { statusStore } from '../../statuses/status-store.ts'
import type { StoredStatus } from '../../statuses/status-store.ts'
import type { LoadedGroup, NotificationType } from '../notification-groups.ts'

export const ICONS: Record<NotificationType, IconName> = {
  mention: 'at',
  status: 'bell',
  reblog: 'boost',
  follow: 'follow',
  follow_request: 'follow',
  favourite: 'favourite',
  poll: 'poll',
  update: 'write',
  quote: 'quote',
  quoted_update: 'write',
  'admin.sign_up': 'people',
  'admin.report': 'flag',
  severed_relationships: 'block',
  moderation_warning: 'shield',
  annual_report: 'chart',
  added_to_collection: 'collection',
  collection_update: 'collection',
}

/** Returns what a group says. `PLACE` stands for the names of its accounts, if the sentence has them. */
export function sentenceOf(group: LoadedGroup): string {
  const { type, notificationsCount: count, event, annualReport, report } = group
  const names = PLACE
  const status = statusStore.get(group.statusId ?? '')
  switch (type) {
    case 'mention':
      return message(`web.notifications.${mentionKind(status)}`, { names })
    case 'reblog':
    case 'favourite':
    case 'follow':
      return message(`web.notifications.${type}`, { names, count })
    case 'admin.sign_up':
      return message('web.notifications.sign-up', { names, count })
    case 'follow_request':
      return message('web.notifications.follow-request', { names })
    case 'status':
    case 'update':
    case 'quote':
      return message(`web.notifications.${type}`, { names })
    case 'quoted_update':
      return message('web.notifications.quoted-update', { names })
    case 'poll':
      return message(isOwn(status?.account) ? 'web.notifications.own-poll' : 'web.notifications.poll')
    case 'admin.report':
      return message('web.notifications.report', { names, target: `@${report?.targetAccount.acct ?? ''}` })
    case 'severed_relationships':
      return message('web.notifications.severed', { target: event?.targetName ?? '' })
    case 'moderation_warning':
      return message('web.notifications.warning')
    case 'annual_report':
      return message('web.notifications.annual-report', { year: annualReport?.year ?? '' })
    case 'added_to_collection':
      return message('web.notifications.added-to-collection', { names })
    case 'collection_update':
      return message('web.notifications.collection-update', { names })
  }
}

/** Returns what a severance or a warning means; null for other types. */
export function explanationOf({ type, event, moderationWarning }: LoadedGroup): string | null {
  if (type === 'severed_relationships' && event)
    return message(`web.notifications.severed.${event.type}`, {
      target: event.targetName,
      followers: event.followersCount,
      following: event.followingCount,
    })
  if (type === 'moderation_warning' && moderationWarning)
    return message(`web.notifications.warning.${moderationWarning.action}`)
  return null
}

/** Returns whether the sentence of a group says that its status replies to the user. */
export function isReplyToUser({ type, statusId }: LoadedGroup): boolean {
  return type === 'mention' && mentionKind(statusStore.get(statusId ?? '')) === 'reply'
}

function mentionKind(status: StoredStatus | undefined): 'mention' | 'private-mention' | 'reply' {
  if (status?.visibility === 'direct') return 'private-mention'
  return status?.inReplyToAccountId === currentAccountId() ? 'reply' : 'mention'
}

const isOwn = (account: Pick<Account, 'id'> | undefined) => account?.id === currentAccountId()
