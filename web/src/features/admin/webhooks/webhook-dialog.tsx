import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AdminWebhook } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useFieldErrors } from '../shared/forms/field-errors.ts'
import { FormField } from '../shared/forms/form-field.tsx'
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
  const [isBusy, setIsBusy] = useState(false)
  const { errors, run } = useFieldErrors(['url', 'events'])
  const queryClient = useQueryClient()
  const staff = useStaff()
  const errorId = useId()
  const save = async () => {
    setIsBusy(true)
    await run(async () => {
      const saved = await saveWebhook(webhook?.id ?? null, values)
      onClose()
      if (saved.secret !== undefined) onSecret?.(saved.secret)
      showDecision({
        text: message('web.admin.saved', { name: new URL(saved.url).host }),
        undo: null,
      })
      await queryClient.invalidateQueries({ queryKey: ['admin'] })
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={message(webhook ? 'web.admin.webhooks.edit' : 'web.admin.webhooks.new')}
      confirm={message('web.admin.save')}
      isBusy={isBusy}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      <FormField
        label={message('web.admin.webhooks.url')}
        hint={message('web.admin.webhooks.url-hint')}
        error={errors['url']}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="url"
            required
            dir="ltr"
            autoComplete="off"
            value={values.url}
            onChange={({ target }) => setValues({ ...values, url: target.value })}
          />
        )}
      </FormField>
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
