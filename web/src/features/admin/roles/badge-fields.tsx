import { message } from '../../../lib/i18n/messages.ts'
import { Field, Switch } from '../shared/form/field.tsx'
import type { RoleValues } from './role-queries.ts'
import styles from './roles.module.css'

const MAX_NAME_CHARACTERS = 100
/** The rose of the design tokens. */
const FIRST_COLOR = '#a92449'

/** How a role looks: its name, its colour, and whether profiles show it. */
export function BadgeFields({
  value,
  errors,
  onChange,
}: {
  value: RoleValues
  errors: Readonly<Record<string, string>>
  onChange: (changes: Partial<RoleValues>) => void
}) {
  const hasColor = value.color !== ''
  return (
    <>
      <Field label={message('web.admin.roles.name')} error={errors['name']}>
        {(props) => (
          <input
            {...props}
            dir="auto"
            required
            autoComplete="off"
            maxLength={MAX_NAME_CHARACTERS}
            value={value.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <fieldset className={styles.group}>
        <legend>{message('web.admin.roles.badge')}</legend>
        <Switch
          label={message('web.admin.roles.highlighted')}
          hint={message('web.admin.roles.highlighted.hint')}
          error={errors['highlighted']}
          isOn={value.highlighted}
          onChange={(highlighted) => onChange({ highlighted })}
        />
        <Switch
          label={message('web.admin.roles.has-color')}
          isOn={hasColor}
          onChange={(isOn) => onChange({ color: isOn ? FIRST_COLOR : '' })}
        />
        {hasColor && (
          <Field label={message('web.admin.roles.color')} error={errors['color']}>
            {({ className: _className, ...props }) => (
              <input
                {...props}
                type="color"
                className={styles.picker}
                value={value.color}
                onChange={({ target }) => onChange({ color: target.value })}
              />
            )}
          </Field>
        )}
      </fieldset>
    </>
  )
}
