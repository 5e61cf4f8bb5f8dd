import { message } from '../../lib/i18n/messages.ts'
import { ClientSwitch, SettingGroup } from './setting-group.tsx'
import styles from './settings-page.module.css'

/** What the home timeline contains, what opens beside it, and what the client asks before it acts. */
export function TimelinesSection() {
  return (
    <div className={styles.page}>
      <SettingGroup title={message('web.settings.home')}>
        <ClientSwitch name="showBoosts" />
        <ClientSwitch name="showReplies" hint={message('web.settings.showReplies.hint')} />
      </SettingGroup>
      <SettingGroup title={message('web.settings.beside')} note={message('web.settings.beside.note')}>
        <ClientSwitch name="threadsBeside" />
        <ClientSwitch name="composerBeside" />
      </SettingGroup>
      <SettingGroup title={message('web.settings.asking')}>
        <ClientSwitch name="confirmBoost" />
      </SettingGroup>
    </div>
  )
}
