import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeServerSettings, settingsByName } from '../../lib/api/server-settings.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Choice } from '../../ui/forms/form-fields.tsx'
import { serverSettingsQuery } from '../instance/server-settings-query.ts'
import { Loaded } from './loaded.tsx'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'

const MODES = ['none', 'approved', 'open'] as const
type Mode = (typeof MODES)[number]

/** Who can create an account on the server. */
export function RegistrationsStep(props: StepProps) {
  const query = useQuery({ ...serverSettingsQuery, select: settingsByName })
  return (
    <Loaded query={query}>
      {(settings) => <RegistrationsForm {...props} current={settings['registrations'] as Mode} />}
    </Loaded>
  )
}

function RegistrationsForm({ current, onDone, onBack }: StepProps & { current: Mode }) {
  const queries = useQueryClient()
  const [mode, setMode] = useState(current)
  return (
    <StepForm
      onDone={onDone}
      onBack={onBack}
      save={async () =>
        queries.setQueryData(serverSettingsQuery.queryKey, await changeServerSettings({ registrations: mode }))
      }
    >
      <p>{message('web.setup.registrations.text')}</p>
      <Choice
        label={message('web.setup.registrations.who')}
        value={mode}
        options={MODES.map((value) => ({ value, label: message(`web.setup.registrations.${value}`) }))}
        onChange={setMode}
      />
    </StepForm>
  )
}
