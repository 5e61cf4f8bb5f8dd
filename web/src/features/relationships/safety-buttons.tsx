import { message } from '../../lib/i18n/messages.ts'
import type { Account } from '../../lib/api/entities.ts'
import { changeRelationship } from './change-relationship.ts'
import { useRelationship } from './relationships.ts'

/** Unblocks an account of the list of blocked ones, which keeps it, so that the user can block it again. */
export function BlockButton({ account: { id, acct } }: { account: Account }) {
  const isOn = useRelationship(id)?.blocking ?? true
  return (
    <button
      type="button"
      className={`button button-small ${isOn ? 'button-line' : ''}`}
      aria-label={`${message(isOn ? 'web.relationship.unblock' : 'web.relationship.block')} @${acct}`}
      onClick={() => void changeRelationship(id, { type: isOn ? 'unblock' : 'block' })}
    >
      {message(isOn ? 'web.relationship.unblock' : 'web.relationship.block')}
    </button>
  )
}

/** Unmutes an account of the list of muted ones, which keeps it, so that the user can mute it again. */
export function MuteButton({ account: { id, acct } }: { account: Account }) {
  const isOn = useRelationship(id)?.muting ?? true
  return (
    <button
      type="button"
      className={`button button-small ${isOn ? 'button-line' : ''}`}
      aria-label={`${message(isOn ? 'web.relationship.unmute' : 'web.relationship.mute')} @${acct}`}
      onClick={() =>
        void changeRelationship(id, isOn ? { type: 'unmute' } : { type: 'mute', notifications: true, seconds: 0 })
      }
    >
      {message(isOn ? 'web.relationship.unmute' : 'web.relationship.mute')}
    </button>
  )
}
