/** Words that the most common leaked passwords are made of, in lower case and with letters for look-alike digits. */
export const commonWords: readonly string[] = `
aaaa abcd access account action adidas admin adminadmin administrator adobe airplane alexander alexis alphabet always
amanda america amour anderson andrea andrew android angel angela angels animal anthony apache apple april arsenal ashley
asdf asshole august austin autumn azerty babe baby babygirl bailey banana bandit barcelona barney baseball basketball
batman beautiful beaver benjamin berlin bigdaddy bigdog bismillah biteme blessed blink boomer booboo boston brandon brandy
brazil bronco broncos brooklyn brother bubbles buddy bulldog butterfly buttercup camaro cameron canada captain carlos
carolina casper celtic champion changeit changeme charlie charlotte cheese chelsea cherry chester chicago chicken
chocolate chris christian christine christmas christopher claire coffee company computer cookie cooper corvette cowboy
cowboys crystal customer dakota dallas daniel danielle database david december default dennis depeche desktop destiny
deutschland diablo diamond doctor dolphin donald dragon dreams drowssap eagle eagles eclipse eddie edward einstein
elephant elizabeth eminem emmanuel england enter eric estrella europe example extreme facebook falcon family february
ferrari fender fishing florida flower flowers football forever formula france frank freedom friday friend friends fuck
fuckme fuckoff fuckyou galaxy games gandalf garfield gateway george georgia germany ghost giants ginger gizmo goldfish
golfer google gordon green guest guitar gunner hammer hannah happy hardcore harley harrypotter hassan heather heaven hello
helpdesk helpme hockey home hotmail hottie house hunter iceman ihateyou iloveu iloveyou india infinity inside instagram
internet ironman jackass jackson jaguar jamaica james january jasmine jason jennifer jeremy jessica jesus john johnny
jordan joseph joshua juice junior justin juventus karina katherine killer kimberly king kingdom kitty knight lakers
laptop lauren legend letmein letmeinnow liberty lifehack linkedin little liverpool login london lorena louis love lovely
loveme lover lovers loveyou lucky madison maggie manager manchester marina marine marlboro martin marvel master
matrix matthew maverick maxwell melissa mercedes merlin metallica mexico michael michelle mickey microsoft midnight
miller minecraft mistress monday money monica monkey monster morgan mother motorola mountain mustang myspace naruto
natasha nathan network newyork nicholas nicole nirvana nissan nothing november october office oliver online open
opensesame orange oracle packers panther parley paris parola pass passe passw passwd password passwort patricia patrick
peace peanut pepper peter phoenix photo pikachu player please pokemon poohbear porsche postgres prince princess
private public purple pussy qazwsx qazwsxedc queen rabbit rachel raiders rainbow ranger rangers realmadrid rebecca redsox
registration richard robert rocket rocky ronaldo root rosebud rush2112 russia samantha sample samsung sandra saturday
scooter scorpion scotland secret secure security senha september server service sesame shadow shalom shannon shop
simpsons skywalker slipknot smokey snoopy snowball soccer sophie spider spiderman spring sqladmin star stargate starwars
stella steven strawberry summer sunday sunflower sunny sunshine superman superstar superuser support sweet sweetie
sydney system tamara taylor teacher team temp temporary tennis teresa test tester testing thomas thunder thursday tiffany
tiger tigers tigger tinkerbell titanic trinity trustno travel tuesday turkey twitter unknown user username valid
vanessa victor victoria viking vincent viper volleyball warcraft warrior webmaster wednesday welcome whatever whatsapp
william windows winner winston winter wizard wolf wordpass work xavier xbox yamaha yankee yankees yellow yourself
zaq zaqwsx zaqxsw zxcv
abril agosto amigo aprile avril bienvenido bienvenue bonjour calcio chocolat chouchou ciao contrasena corazon coucou
dezember dicembre diciembre doudou estate familia famille fevrier flamengo fussball geheim hallo hamburg herbst hiver
invierno januar jetaime juillet julio junio kennwort liebe liebling luglio marseille marzo milano motdepasse muenchen
noviembre octubre oktober otono parole perro primavera princesa princesse printemps qwertz schalke schatz schatzi
schmetterling septembre setembro settembre soleil sommer sonne sonnenschein tequiero valentina verano verao voetbal
wachtwoord welkom willkommen zomer
correcthorsebatterystaple troubador troubadour
qwe asd zxc 1q2w3e4r5t 1q2w3e4r 1q2w3e q1w2e3r4t5 q1w2e3r4 1qaz2wsx3edc 1qaz2wsx 1qaz qwer1234 2wsx3edc 147258369 159753
987456 741852963 789456123 456789 246810 112233 121212 123123 131313 223344 332211 101010 696969 5201314 1314520
`
  .trim()
  .split(/\s+/)
