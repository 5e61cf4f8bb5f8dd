import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useFieldErrors } from '../shared/forms/field-errors.ts'
import { FormField } from '../shared/forms/form-field.tsx'
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
  const [isBusy, setIsBusy] = useState(false)
  const { errors, run } = useFieldErrors(['days', 'byDomain'])
  const queryClient = useQueryClient()
  const start = async () => {
    setIsBusy(true)
    await run(async () => {
      await startPurge(options)
      onClose()
      showDecision({ text: message('web.admin.media.purge-started'), undo: null })
      await queryClient.invalidateQueries({ queryKey: ['admin'] })
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={message('web.admin.media.purge')}
      confirm={message('web.admin.media.purge-start')}
      isBusy={isBusy}
      onConfirm={() => void start()}
      onClose={onClose}
    >
      <p>{message('web.admin.media.purge-text')}</p>
      <FormField label={message('web.admin.media.days')} error={errors['days']}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            required
            min={0}
            max={MAX_DAYS}
            value={Number.isNaN(options.days) ? '' : options.days}
            onChange={({ target }) => setOptions({ ...options, days: target.valueAsNumber })}
          />
        )}
      </FormField>
      <FormField
        label={message('web.admin.domain-blocks.domain')}
        hint={message('web.admin.media.domain-hint')}
        error={errors['byDomain']}
      >
        {(attributes) => (
          <input
            {...attributes}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={options.byDomain}
            onChange={({ target }) => setOptions({ ...options, byDomain: target.value })}
          />
        )}
      </FormField>
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
