import type { AdminSetting } from '../../../lib/api/server-settings.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Choice } from '../../../ui/forms/form-fields.tsx'
import { Field, Switch } from '../shared/form/field.tsx'
import { MarkdownPreview } from '../shared/form/markdown-preview.tsx'
import { CHOICES, EXPLAINED, MARKDOWN_SETTINGS } from './setting-sections.ts'
import type { SettingName } from './setting-sections.ts'

type Value = AdminSetting['value']

const LONG_TEXT = 10_000

/** The control of a setting, with its explanation and what is wrong with its value. */
export function SettingField({
  setting,
  value,
  error,
  onChange,
}: {
  setting: Omit<AdminSetting, 'name'> & { name: SettingName }
  value: Value
  error: string | undefined
  onChange: (value: Value) => void
}) {
  const { name, type, maxCharacters } = setting
  const label = message(`web.admin.setting.${name}`)
  const explained = EXPLAINED.find((one) => one === name)
  const hint = explained && message(`web.admin.setting.${explained}.hint`)
  if (type === 'boolean')
    return (
      <Switch
        label={label}
        error={error}
        isOn={value === true}
        onChange={onChange}
        {...(hint !== undefined && { hint })}
      />
    )
  const options = Object.entries(CHOICES[name] ?? {}).map(([option, id]) => ({ value: option, label: message(id) }))
  const text = String(value)
  if (name === 'registrations') return <Choice label={label} value={text} options={options} onChange={onChange} />
  const field = (
    <Field label={label} hint={hint} error={error}>
      {(props) => {
        if (type === 'choice')
          return (
            <select {...props} value={text} onChange={({ target }) => onChange(target.value)}>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          )
        if (type === 'integer')
          return (
            <input
              {...props}
              type="number"
              inputMode="numeric"
              min={0}
              step={1}
              placeholder={formatNumber(Number(setting.default))}
              value={text}
              onChange={({ target }) => onChange(target.value === '' ? '' : target.valueAsNumber)}
            />
          )
        const shared = {
          ...props,
          dir: name === 'status_page' || name === 'source_code' ? 'ltr' : 'auto',
          maxLength: maxCharacters ?? undefined,
          placeholder: String(setting.default),
          value: text,
        }
        return type === 'text' ? (
          <textarea
            {...shared}
            rows={(maxCharacters ?? 0) > LONG_TEXT ? 12 : 4}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <input {...shared} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
        )
      }}
    </Field>
  )
  if (!MARKDOWN_SETTINGS.includes(name)) return field
  return (
    <div>
      {field}
      <MarkdownPreview name={label} text={text} />
    </div>
  )
}
