/** Shapes of the settings of a web chat. */
import Type, { type Static } from 'typebox'
import { literals, Name, named, nullable, object, visibleText } from '../../platform/http/schemas.ts'

/** An origin as browsers send it; normalised when it is stored. */
const Origin = Type.String({ minLength: 8, maxLength: 300, pattern: '^https?://[^/?#\\s]+/?$' })
const AllowedOrigins = Type.Array(Origin, {
  maxItems: 50,
  description: 'origins of the pages that embed the chat, such as `https://shop.example`',
})

const appearance = {
  accent: Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    patternMessage: 'must be a color such as #2b59c3',
    examples: ['#2563eb'],
  }),
  position: literals(['left', 'right']),
  theme: literals(['auto', 'light', 'dark']),
  title: visibleText(60),
  subtitle: nullable(visibleText(120)),
  launcherText: nullable(visibleText(40)),
}
export const Appearance = named('WebchatAppearance', object(appearance))

export const PreChat = named(
  'WebchatPreChat',
  object({
    fields: Type.Array(
      object({
        key: literals(['name', 'email', 'phone']),
        label: nullable(visibleText(100)),
        isRequired: Type.Boolean(),
      }),
      { minItems: 1, maxItems: 3 },
    ),
  }),
)

/** As stored with the inbox. */
const settings = {
  allowedOrigins: AllowedOrigins,
  appearance: Appearance,
  preChat: nullable(PreChat),
  identity: object({
    keyId: { ...nullable(Type.String()), description: 'the key that signs identities; null: none' },
    isRequired: Type.Boolean({ description: 'visitors can write only after the site identified them' }),
  }),
}
const WebchatSettings = object(settings)
export type WebchatSettings = Static<typeof WebchatSettings>

export const WebchatInbox = named(
  'WebchatInbox',
  object({
    inboxKey: Type.String({ description: 'public; the page names it when it embeds the chat' }),
    ...settings,
  }),
)

export const CreateWebchatRequest = object({ name: Name, allowedOrigins: AllowedOrigins })
export type CreateWebchatRequest = Static<typeof CreateWebchatRequest>

export const WebchatPatch = object({
  allowedOrigins: Type.Optional(AllowedOrigins),
  appearance: Type.Optional(
    object(
      Object.fromEntries(
        Object.entries(appearance).map(([name, schema]) => [name, Type.Optional(schema)]),
      ) as {
        [K in keyof typeof appearance]: ReturnType<typeof Type.Optional<(typeof appearance)[K]>>
      },
    ),
  ),
  preChat: Type.Optional(nullable(PreChat)),
  identity: Type.Optional(object({ isRequired: Type.Boolean() })),
})
export type WebchatPatch = Static<typeof WebchatPatch>
