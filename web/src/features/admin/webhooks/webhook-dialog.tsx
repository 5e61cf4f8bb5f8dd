import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AdminWebhook } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useSubmit } from '../shared/form/use-submit.ts'
import { Field } from '../shared/form/field.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { saveWebhook, WEBHOOK_EVENTS } from './webhook-queries.ts'
import type { WebhookValues } from './webhook-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './webhook-dialog.module.css'

/** Adds a webhook, or changes one. `onSecret` receives the secret of a new one. */
export function WebhookDialog({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: AdminWebhook | null
  onClose: () => void
  onSecret?: (secret: string) => void
}) {
  const [values, setValues] = useState<WebhookValues>({ url: webhook?.url ?? '', events: webhook?.events ?? [] })
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const staff = useStaff()
  const errorId = useId()
  const save = () =>
    void submit(async () => {
      const saved = await saveWebhook(webhook?.id ?? null, values)
      onClose()
      if (saved.secret !== undefined) onSecret?.(saved.secret)
      showDecision({
        text: message('web.admin.saved', { name: new URL(saved.url).host }),
        undo: null,
      })
      await queryClient.invalidateQueries({ queryKey: ['admin'] })
    })
  return (
    <AdminDialog
      focus="first"
      title={message(webhook ? 'web.admin.webhooks.edit' : 'web.admin.webhooks.new')}
      confirm={message('web.admin.save')}
      isBusy={isBusy}
      failure={failure}
      form={form}
      onConfirm={save}
      onClose={onClose}
    >
      <Field
        label={message('web.admin.webhooks.url')}
        hint={message('web.admin.webhooks.url-hint')}
        error={errors['url']}
      >
        {(props) => (
          <input
            {...props}
            type="url"
            required
            dir="ltr"
            autoComplete="off"
            value={values.url}
            onChange={({ target }) => setValues({ ...values, url: target.value })}
          />
        )}
      </Field>
      <fieldset className={styles.events} aria-describedby={errors['events'] ? errorId : undefined}>
        <legend>{message('web.admin.webhooks.events')}</legend>
        {WEBHOOK_EVENTS.map(([event, permission]) => (
          <label key={event} className={admin.check}>
            <input
              type="checkbox"
              checked={values.events.includes(event)}
              disabled={!staff?.can(permission) && !values.events.includes(event)}
              aria-invalid={errors['events'] ? true : undefined}
              onChange={({ target }) =>
                setValues({
                  ...values,
                  events: target.checked ? [...values.events, event] : values.events.filter((name) => name !== event),
                })
              }
            />
            {message(`web.admin.webhooks.event.${event}`)}
          </label>
        ))}
        {errors['events'] && (
          <p id={errorId} className={styles.error}>
            {errors['events']}
          </p>
        )}
      </fieldset>
    </AdminDialog>
  )
}
