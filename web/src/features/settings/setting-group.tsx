import { useId } from 'react'
import type { ReactNode } from 'react'
import { useClientSettings } from '../../lib/settings.ts'
import type { ClientSettings } from '../../lib/settings.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Checkbox } from '../../ui/forms/form-fields.tsx'
import { changeSetting } from './change-setting.ts'
import styles from './settings-page.module.css'

/** Settings that belong together, with their heading. */
export function SettingGroup({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children}
    </section>
  )
}

type SwitchName = {
  [Name in keyof ClientSettings]: ClientSettings[Name] extends boolean ? Name : never
}[keyof ClientSettings]

/** A setting of this client that is on or off. */
export function ClientSwitch({ name, hint }: { name: SwitchName; hint?: string }) {
  const settings = useClientSettings()
  return (
    <Checkbox
      label={message(`web.settings.${name}`)}
      isChecked={settings[name]}
      onChange={(isOn) => changeSetting(name, isOn)}
      {...(hint === undefined ? {} : { hint })}
    />
  )
}
