import type { Relationship } from '../../lib/api/entities.ts'

/** What the user can do to an account. */
export type RelationshipAction =
  | { type: 'follow'; locked: boolean; reblogs?: boolean; notify?: boolean; languages?: string[] }
  | { type: 'unfollow' | 'remove-follower' | 'unmute' | 'block' | 'unblock' | 'endorse' | 'unendorse' }
  | { type: 'accept' | 'reject' }
  | { type: 'mute'; notifications: boolean; seconds: number }
  | { type: 'note'; comment: string }
  | { type: 'block-domain' | 'unblock-domain'; domain: string }

/** Returns the action that follows an account or ends the follow. */
export const followAction = ({ on, locked }: { on: boolean; locked: boolean }): RelationshipAction =>
  on ? { type: 'follow', locked } : { type: 'unfollow' }

const UNRELATED = { following: false, requested: false, notifying: false, showingReblogs: false, endorsed: false }
const UNFOLLOWED = { followedBy: false, requestedBy: false }

/** Returns what a relationship becomes by an action, before the server has confirmed it. */
export function applyAction(relationship: Relationship, action: RelationshipAction, now = new Date()): Relationship {
  const { following } = relationship
  switch (action.type) {
    case 'follow':
      return {
        ...relationship,
        following: following || !action.locked,
        requested: !following && action.locked,
        showingReblogs: action.reblogs ?? (following ? relationship.showingReblogs : true),
        notifying: action.notify ?? (following && relationship.notifying),
        languages: action.languages === undefined ? relationship.languages : emptyToNull(action.languages),
      }
    case 'unfollow':
      return { ...relationship, ...UNRELATED }
    case 'remove-follower':
      return { ...relationship, followedBy: false }
    case 'mute':
      return {
        ...relationship,
        muting: true,
        mutingNotifications: action.notifications,
        mutingExpiresAt: action.seconds === 0 ? null : new Date(now.getTime() + action.seconds * 1000).toISOString(),
      }
    case 'unmute':
      return { ...relationship, muting: false, mutingNotifications: false, mutingExpiresAt: null }
    case 'block':
      return { ...relationship, ...UNRELATED, ...UNFOLLOWED, blocking: true }
    case 'unblock':
      return { ...relationship, blocking: false }
    case 'endorse':
    case 'unendorse':
      return { ...relationship, endorsed: action.type === 'endorse' }
    case 'note':
      return { ...relationship, note: action.comment }
    case 'accept':
      return { ...relationship, requestedBy: false, followedBy: true }
    case 'reject':
      return { ...relationship, requestedBy: false }
    case 'block-domain':
      return { ...relationship, ...UNRELATED, ...UNFOLLOWED, domainBlocking: true }
    case 'unblock-domain':
      return { ...relationship, domainBlocking: false }
  }
}

/** Returns an action as the server has performed it: it decides whether a follow needs an approval, and trims notes. */
export function asPerformed(action: RelationshipAction, { requested, note }: Relationship): RelationshipAction {
  if (action.type === 'follow') return { ...action, locked: requested }
  return action.type === 'note' ? { ...action, comment: note } : action
}

const emptyToNull = (languages: string[]) => (languages.length === 0 ? null : languages)
