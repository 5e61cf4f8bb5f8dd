import { queryOptions, useQuery } from '@tanstack/react-query'
import { adminApi } from '../../../../lib/api/admin-api.ts'
import type { AdminWarningPreset } from '../../../../lib/api/admin-entities.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import type { UserMessage } from './account-actions.ts'
import admin from '../admin.module.css'

const MAX_CHARACTERS = 2000
const TITLE_CHARACTERS = 60

/** The fields of the message to the user about an action; for the staff, only a note. */
export function MessageFields({
  value,
  onChange,
  for: reader,
  hasPresets,
}: {
  value: UserMessage
  onChange: (value: UserMessage) => void
  for: 'user' | 'staff'
  hasPresets: boolean
}) {
  const isForUser = reader === 'user'
  return (
    <>
      {isForUser && hasPresets && (
        <PresetChoice value={value.presetId} onChange={(presetId) => onChange({ ...value, presetId })} />
      )}
      <label className={admin.label}>
        {message(isForUser ? 'web.admin.decision.mail' : 'web.admin.decision.note')}
        <textarea
          className={admin.field}
          dir="auto"
          rows={3}
          maxLength={MAX_CHARACTERS}
          value={value.text}
          onChange={({ target }) => onChange({ ...value, text: target.value })}
        />
      </label>
      {isForUser && (
        <label className={admin.check}>
          <input
            type="checkbox"
            checked={value.notify}
            onChange={({ target }) => onChange({ ...value, notify: target.checked })}
          />
          {message('web.admin.decision.notify')}
        </label>
      )}
    </>
  )
}

const presetsQuery = queryOptions({
  queryKey: ['admin', 'warning-presets'],
  queryFn: async () => (await adminApi('warning_presets').fetch()) as AdminWarningPreset[],
})

/** The warning presets; the text of the chosen one is what the user will read first. */
function PresetChoice({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { data: presets = [] } = useQuery(presetsQuery)
  if (presets.length === 0) return null
  const chosen = presets.find(({ id }) => id === value)
  return (
    <>
      <label className={admin.label}>
        {message('web.admin.decision.preset')}
        <select
          className={admin.field}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">{message('web.admin.decision.no-preset')}</option>
          {presets.map(({ id, title, text }) => (
            <option key={id} value={id}>
              {title || text.slice(0, TITLE_CHARACTERS)}
            </option>
          ))}
        </select>
      </label>
      {chosen && (
        <p className={admin.soft} dir="auto">
          {chosen.text}
        </p>
      )}
    </>
  )
}
