import { MastoHttpError } from 'masto'
import { useEffect, useState } from 'react'
import { runOrReport } from '../decisions/undo.ts'

/** The problems of fields by their names in the API, in camel case. */
export type FieldErrors = Readonly<Record<string, string>>

/** Returns the problems that a response names by their fields. */
function fieldErrorsOf(error: unknown): FieldErrors {
  const details: unknown = error instanceof MastoHttpError ? error.details : undefined
  if (typeof details !== 'object' || details === null) return {}
  const problems = Object.entries(details as Record<string, readonly { description: string }[]>)
  return Object.fromEntries(problems.map(([name, found]) => [name, found.map((one) => one.description).join('. ')]))
}

/**
 * The problems of a form's fields. `run` runs an action: problems of `fields` are shown at them, and the first one gets
 * the focus; other failures are shown in the dialog or as a message.
 */
export function useFieldErrors(fields: readonly string[]): {
  errors: FieldErrors
  run(action: () => Promise<unknown>): Promise<boolean>
} {
  const [errors, setErrors] = useState<FieldErrors>({})
  useEffect(() => {
    if (Object.keys(errors).length > 0) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  const run = async (action: () => Promise<unknown>) => {
    setErrors({})
    let isRefused = false
    const isDone = await runOrReport(async () => {
      try {
        await action()
      } catch (error) {
        const found = fieldErrorsOf(error)
        const names = Object.keys(found)
        setErrors(found)
        if (names.length === 0 || !names.every((name) => fields.includes(name))) throw error
        isRefused = true
      }
    })
    return isDone && !isRefused
  }
  return { errors, run }
}
