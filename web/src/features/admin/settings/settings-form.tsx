import { useQuery, useQueryClient } from '@tanstack/react-query'
import { changeServerSettings } from '../../../lib/api/server-settings.ts'
import type { AdminSetting, ServerSettings } from '../../../lib/api/server-settings.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { instanceQuery } from '../../instance/instance.ts'
import { serverSettingsQuery } from '../../instance/server-settings-query.ts'
import { showDecision } from '../shared/decisions/undo.ts'
import { FormActions } from '../shared/form/form-actions.tsx'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { SavedForm } from '../shared/form/saved-form.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { SETTING_SECTIONS } from './setting-sections.ts'
import type { SettingSection } from './setting-sections.ts'
import { SettingField } from './setting-field.tsx'
import admin from '../shared/admin.module.css'
import styles from './settings.module.css'

/** The settings of a page, which are saved together. */
export function SettingsForm({ section }: { section: SettingSection }) {
  const query = useQuery(serverSettingsQuery)
  return (
    <QueryResult query={query}>
      {(settings) => <SectionForm key={section} section={section} settings={settings} />}
    </QueryResult>
  )
}

function SectionForm({ section, settings }: { section: SettingSection; settings: readonly AdminSetting[] }) {
  const { value: typed, change, reset } = useDraft<ServerSettings>(`settings-${section}`, {})
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const byName = new Map(settings.map((setting) => [setting.name, setting]))
  const changes = Object.fromEntries(Object.entries(typed).filter(([name, value]) => byName.get(name)?.value !== value))
  const send = async (values: ServerSettings) => {
    queryClient.setQueryData(serverSettingsQuery.queryKey, await changeServerSettings(values))
    await queryClient.invalidateQueries({ queryKey: instanceQuery.queryKey })
  }
  const save = () =>
    void submit(async () => {
      const before = Object.fromEntries(Object.keys(changes).map((name) => [name, storedValue(byName.get(name)!)]))
      await send(changes)
      reset({})
      showDecision({ text: message('web.admin.settings.saved'), undo: () => send(before) })
    })
  return (
    <SavedForm form={form} onSave={save}>
      {SETTING_SECTIONS[section].map(({ title, names }) => (
        <section key={title} className={styles.group} aria-label={message(title)}>
          <h2 className={admin.heading}>{message(title)}</h2>
          {names.map((name) => {
            const setting = byName.get(name)
            return (
              setting && (
                <SettingField
                  key={name}
                  setting={{ ...setting, name }}
                  value={typed[name] ?? setting.value}
                  error={errors[name]}
                  onChange={(value) => change({ ...typed, [name]: value })}
                />
              )
            )
          })}
        </section>
      ))}
      <FormActions
        isChanged={Object.keys(changes).length > 0}
        isBusy={isBusy}
        failure={failure}
        onDiscard={() => reset({})}
      />
    </SavedForm>
  )
}

/** The value with which a setting becomes what it is: an empty text means the default. */
function storedValue({ type, value, default: fallback }: AdminSetting): AdminSetting['value'] {
  return (type === 'line' || type === 'text') && value === fallback ? '' : value
}
