import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useSubmit } from '../shared/form/use-submit.ts'
import { Field } from '../shared/form/field.tsx'
import { startPurge } from './media-queries.ts'
import type { PurgeOptions } from './media-queries.ts'
import admin from '../shared/admin.module.css'

const MAX_DAYS = 36_500
const INITIAL: PurgeOptions = { days: 7, profiles: false, byDomain: '', keepInteracted: true }

/** The button whose dialog starts a purge of the cache. */
export function PurgeForm() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <p>
        <button type="button" className="button button-line button-small" onClick={() => setIsOpen(true)}>
          {message('web.admin.media.purge')}
        </button>
      </p>
      {isOpen && <PurgeDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function PurgeDialog({ onClose }: { onClose: () => void }) {
  const [options, setOptions] = useState(INITIAL)
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const start = () =>
    void submit(async () => {
      await startPurge(options)
      onClose()
      showDecision({ text: message('web.admin.media.purge-started'), undo: null })
      await queryClient.invalidateQueries({ queryKey: ['admin'] })
    })
  return (
    <AdminDialog
      focus="first"
      title={message('web.admin.media.purge')}
      confirm={message('web.admin.media.purge-start')}
      isBusy={isBusy}
      failure={failure}
      form={form}
      onConfirm={start}
      onClose={onClose}
    >
      <p>{message('web.admin.media.purge-text')}</p>
      <Field label={message('web.admin.media.days')} error={errors['days']}>
        {(props) => (
          <input
            {...props}
            type="number"
            required
            min={0}
            max={MAX_DAYS}
            value={Number.isNaN(options.days) ? '' : options.days}
            onChange={({ target }) => setOptions({ ...options, days: target.valueAsNumber })}
          />
        )}
      </Field>
      <Field
        label={message('web.admin.domain-blocks.domain')}
        hint={message('web.admin.media.domain-hint')}
        error={errors['by_domain']}
      >
        {(props) => (
          <input
            {...props}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={options.byDomain}
            onChange={({ target }) => setOptions({ ...options, byDomain: target.value })}
          />
        )}
      </Field>
      <div>
        {(['profiles', 'keepInteracted'] as const).map((name) => (
          <label key={name} className={admin.check}>
            <input
              type="checkbox"
              checked={options[name]}
              onChange={({ target }) => setOptions({ ...options, [name]: target.checked })}
            />
            {message(`web.admin.media.${name}`)}
          </label>
        ))}
      </div>
    </AdminDialog>
  )
}
