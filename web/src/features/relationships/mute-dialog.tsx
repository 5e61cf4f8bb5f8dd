import { useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import type { Account } from '../../lib/api/entities.ts'
import { Checkbox, Choice, Fields } from '../../ui/forms/form-fields.tsx'
import { closeDialog, DialogActions } from '../../ui/dialogs/confirmation.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { changeRelationship } from './change-relationship.ts'

const HOUR = 3600
/** Seconds; 0 is without an end. */
const DURATIONS = {
  forever: 0,
  '1-hour': HOUR,
  '6-hours': 6 * HOUR,
  '1-day': 24 * HOUR,
  '3-days': 3 * 24 * HOUR,
  '7-days': 7 * 24 * HOUR,
} as const
type Duration = keyof typeof DURATIONS

/** Asks for how long an account is muted, and whether its notifications are, too. */
export function MuteDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const [duration, setDuration] = useState<Duration>('forever')
  const [notifications, setNotifications] = useState(true)
  return (
    <Dialog title={message('web.mute.title', { name: `@${account.acct}` })} onClose={onClose}>
      <Fields>
        <p>{message('web.mute.text')}</p>
        <Choice
          label={message('web.mute.duration')}
          value={duration}
          options={(Object.keys(DURATIONS) as Duration[]).map((value) => ({
            value,
            label: message(`web.mute.${value}`),
          }))}
          onChange={setDuration}
        />
        <Checkbox label={message('web.mute.notifications')} isChecked={notifications} onChange={setNotifications} />
      </Fields>
      <DialogActions>
        <button
          type="button"
          className="button"
          onClick={(event) => {
            void changeRelationship(account.id, { type: 'mute', notifications, seconds: DURATIONS[duration] })
            closeDialog(event)
          }}
        >
          {message('web.mute.confirm')}
        </button>
      </DialogActions>
    </Dialog>
  )
}
