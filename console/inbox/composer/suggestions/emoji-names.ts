/** The emoji that the composer offers: each with the names by which it is found. */
export interface Emoji {
  emoji: string
  names: readonly string[]
}

const text = `
😀 grinning smile happy
😃 smiley happy
😄 smile laugh happy
😁 grin beaming
😅 sweat_smile relief
😂 joy laugh tears
🤣 rofl laugh
🙂 slight_smile
🙃 upside_down
😉 wink
😊 blush smile
😇 innocent angel
🥰 love hearts
😍 heart_eyes love
😘 kiss
😋 yum tasty
😎 cool sunglasses
🤩 star_struck wow
🥳 party celebrate
🤗 hug
🤔 thinking hmm
🤨 raised_eyebrow
😐 neutral
🙄 eye_roll
😏 smirk
😬 grimace
😌 relieved
😴 sleeping tired
🤒 sick fever
🤕 hurt bandage
😕 confused
😟 worried
🙁 frown
☹️ sad frown
😮 open_mouth surprised
😲 astonished
🥺 pleading
😢 cry sad
😭 sob cry
😱 scream
😓 downcast sweat
😩 weary
😤 huff
😡 angry rage
🤯 mind_blown
😳 flushed
🤷 shrug
🤦 facepalm
🙇 bow sorry
🙋 raise_hand
👋 wave hello bye
👍 thumbs_up yes +1 like
👎 thumbs_down no -1
👌 ok perfect
✌️ victory peace
🤞 fingers_crossed luck
🤝 handshake deal
👏 clap bravo
🙌 hooray praise
🙏 pray thanks please
💪 muscle strong
✍️ writing
👀 eyes look
👉 point_right
👈 point_left
👆 point_up
👇 point_down
❤️ heart love
🧡 orange_heart
💛 yellow_heart
💚 green_heart
💙 blue_heart
💜 purple_heart
🖤 black_heart
💔 broken_heart
💯 hundred perfect
💥 boom
💡 idea bulb
💬 speech chat
🎉 tada party congratulations
🎊 confetti
🎁 gift present
🎂 cake birthday
🎈 balloon
🏆 trophy win
🥇 gold medal
⭐ star
🌟 glowing_star
✨ sparkles
🔥 fire hot
🌈 rainbow
☀️ sun
🌧️ rain
❄️ snow cold
🌍 earth world
🌱 plant seedling
🌹 rose flower
💐 bouquet flowers
🍀 clover luck
🐶 dog
🐱 cat
🦄 unicorn
☕ coffee
🍵 tea
🍺 beer
🍷 wine
🍕 pizza
🍔 burger
🍎 apple
🍞 bread
🍽️ plate restaurant
🛒 cart shopping
🛍️ bags shopping
📦 package parcel box
🚚 truck delivery
✈️ plane flight
🚗 car
🚲 bike
🚆 train
🏠 house home
🏢 office
🏪 shop store
🏨 hotel
📍 pin location
🗺️ map
📅 calendar date
⏰ alarm clock
⏳ hourglass wait
🕐 clock time
📞 phone call
📱 mobile
💻 laptop computer
🖨️ printer
📷 camera photo
📧 email mail
📨 incoming letter
📄 document page
📎 paperclip attachment
📝 memo note
📊 chart
🔍 search magnifier
🔗 link
🔒 lock secure
🔓 unlock
🔑 key
🔧 wrench repair
🛠️ tools
⚙️ gear settings
🔔 bell
📣 megaphone
💳 card payment
💰 money
💶 euro
💵 dollar
🧾 receipt invoice
🏷️ tag label
✅ check done yes
☑️ ticked
❌ cross no
⚠️ warning
🚫 forbidden
❓ question
❗ exclamation
➕ plus
➖ minus
➡️ arrow_right
⬅️ arrow_left
🔄 refresh again
🆗 ok_button
🆕 new
🆓 free
🔴 red
🟡 yellow
🟢 green
🔵 blue
🇩🇪 germany
🇪🇺 europe
🇬🇧 britain uk
🇺🇸 usa
🇫🇷 france
🇪🇸 spain
🇮🇹 italy
🇧🇷 brazil
🇮🇳 india
`

export function parseEmoji(): Emoji[] {
  return text
    .trim()
    .split('\n')
    .map(line => {
      const [emoji, ...names] = line.split(' ')
      return { emoji: emoji!, names }
    })
}
