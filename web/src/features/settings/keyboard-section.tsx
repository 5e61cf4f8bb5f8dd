import { message } from '../../lib/i18n/messages.ts'
import { ClientSwitch, SettingGroup } from './setting-group.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import styles from './settings-page.module.css'

/** The shortcuts, which can be off. */
export function KeyboardSection() {
  return (
    <div className={styles.page}>
      <SettingGroup title={message('web.shortcuts.title')}>
        <ClientSwitch name="singleKeys" hint={message('web.settings.singleKeys.hint')} />
      </SettingGroup>
      <ShortcutList />
    </div>
  )
}
