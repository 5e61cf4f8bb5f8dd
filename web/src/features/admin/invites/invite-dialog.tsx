import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDuration, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { Field, Switch } from '../shared/form/field.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { createInvite, expireInvite } from './invite-queries.ts'
import type { NewInvite } from './invite-queries.ts'

const USES = [0, 1, 5, 10, 25, 50, 100]
const HOUR = 3600
const DAY = 24 * HOUR
const EXPIRIES = [0, HOUR / 2, HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY]
const MAX_COMMENT_CHARACTERS = 420

/** Creates an invite of the user. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [invite, setInvite] = useState<NewInvite>({ maxUses: 0, expiresIn: 7 * DAY, autofollow: false, comment: '' })
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin', 'invites'] })
  const save = () =>
    void submit(async () => {
      const { id } = await createInvite(invite)
      onClose()
      showDecision({
        text: message('web.admin.invites.created'),
        undo: () => expireInvite(id).then(refresh),
      })
      await refresh()
    })
  return (
    <AdminDialog
      title={message('web.admin.invites.new')}
      confirm={message('web.admin.invites.create')}
      isBusy={isBusy}
      focus="first"
      failure={failure}
      form={form}
      onConfirm={save}
      onClose={onClose}
    >
      <Field label={message('web.admin.invites.max-uses')} error={errors['max_uses']}>
        {(props) => (
          <select
            {...props}
            value={invite.maxUses}
            onChange={({ target }) => setInvite({ ...invite, maxUses: Number(target.value) })}
          >
            {USES.map((count) => (
              <option key={count} value={count}>
                {count === 0 ? message('web.admin.invites.no-limit') : formatNumber(count)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={message('web.admin.invites.expires-in')} error={errors['expires_in']}>
        {(props) => (
          <select
            {...props}
            value={invite.expiresIn}
            onChange={({ target }) => setInvite({ ...invite, expiresIn: Number(target.value) })}
          >
            {EXPIRIES.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === 0 ? message('web.admin.ip-blocks.expires.never') : formatDuration(seconds)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Switch
        label={message('web.admin.invites.autofollow')}
        isOn={invite.autofollow}
        onChange={(autofollow) => setInvite({ ...invite, autofollow })}
      />
      <Field
        label={message('web.admin.invites.comment')}
        hint={message('web.admin.invites.comment.hint')}
        error={errors['comment']}
      >
        {(props) => (
          <input
            {...props}
            dir="auto"
            maxLength={MAX_COMMENT_CHARACTERS}
            value={invite.comment}
            onChange={({ target }) => setInvite({ ...invite, comment: target.value })}
          />
        )}
      </Field>
    </AdminDialog>
  )
}
