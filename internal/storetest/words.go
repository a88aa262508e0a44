package storetest

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
)

// common are the words at the head of the distribution, most frequent first.
const common = `the to a of and is in it for that this with on be not file as
from test error you we are can if line so was by value when code all use run
name type has no one set at change now should only return function data add
will but path read write call check fix string which first new list make into
then same key after before still what have need does still both each out up
user server request result config index table cache entry session search match
empty default option field update build output input message handler client
parser token branch commit merge module package import export event queue
worker thread lock batch stream buffer offset header record column query row
filter sort group limit page cursor count total average retry timeout failed
passed missing invalid unknown expected actual instead because where there
here they them their its our your any more less than some most other another
while until during through without within between against under over again
once twice never always often rarely perhaps probably clearly simply really
slow fast small large short long old recent next last previous current local
remote global shared private public static dynamic nested flat deep shallow
safe unsafe stable flaky broken fixed clean dirty ready done open closed
looks seems works breaks fails passes returns expects creates removes updates
moves copies renames splits joins parses prints reads writes sends receives
starts stops waits blocks skips keeps drops counts sorts merges matches`

// names are the parts identifiers and paths are made of.
const names = `user account order invoice payment report cache index store
session token query parser lexer router handler server client worker queue
event stream buffer page table column record field schema model view widget
button layout theme locale config option flag env path file dir reader writer
encoder decoder codec frame packet socket pool lease lock clock timer ticker
metric gauge counter histogram trace span log audit policy rule role scope
grant secret vault mail inbox thread message channel topic shard replica
leader quorum snapshot delta patch diff merge branch commit tag release
build target artifact bundle asset image font icon chart graph node edge
tree leaf root branch cursor anchor margin grid cell row header footer`

// foreign holds text outside ASCII, used now and then.
var foreign = []string{
	"検索結果が空です", "設定ファイルを読み込めません", "请检查配置文件", "缓存已过期",
	"로그 파일을 확인하세요", "déjà vu à l'été", "größere Änderungen prüfen",
	"señal no válida", "żółta gęś", "прочитать журнал ошибок", "naïve façade",
	"Ελέγξτε τη ρύθμιση", "→ voilà", "“quoted” — dash…", "✅ fertig", "👩‍💻 pairing",
}

// vocabularySize is how many distinct prose words there are.
const vocabularySize = 4000

// A vocabulary holds the words of the prose and draws them by rank.
type vocabulary struct {
	words []string
	parts []string
	draw  [1 << 16]uint16 // rank of a word by 16 random bits
}

// lexicon is the same for every seed: a benchmark may name its words. It is made when
// it is asked for: a test starts its own program hundreds of times.
var lexicon = sync.OnceValue(newVocabulary)

// Words lists the vocabulary of the prose, most common first. The word at
// rank r is about r times rarer than the first.
func Words() []string { return append([]string(nil), lexicon().words...) }

func newVocabulary() *vocabulary {
	v := &vocabulary{parts: strings.Fields(names)}
	rng := rand.New(rand.NewPCG(7, 7))
	seen := map[string]bool{}
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			v.words = append(v.words, w)
		}
	}
	for _, w := range strings.Fields(common) {
		add(w)
	}
	for len(v.words) < vocabularySize {
		add(invent(rng))
	}
	v.fill()
	return v
}

// fill spreads the ranks over the draw table by Zipf's law, a bit flattened.
func (v *vocabulary) fill() {
	var sum float64
	for i := range v.words {
		sum += zipf(i)
	}
	at, acc := 0, 0.0
	for i := range v.words {
		acc += zipf(i)
		end := int(acc / sum * float64(len(v.draw)))
		if end == at {
			end++ // every word can come
		}
		for ; at < min(end, len(v.draw)); at++ {
			v.draw[at] = uint16(i)
		}
	}
	for ; at < len(v.draw); at++ {
		v.draw[at] = uint16(at % len(v.words))
	}
}

func zipf(rank int) float64 { return 1 / math.Pow(float64(rank)+2, 0.95) }

var syllables = strings.Fields(`ba be bo cal cor dan del din do fa fen for ga
gil gra ha hel in ja ka kel kin la lem lin lo ma mer min mo na nel no or pa
per pin pra qui ra rel rin ro sa sel shi so sta ta tel tin tra tor u va vel
vin wa wen xi ya yor za zen`)

// invent makes a word that is not English and can be pronounced.
func invent(rng *rand.Rand) string {
	var b strings.Builder
	for range 2 + rng.IntN(3) {
		b.WriteString(syllables[rng.IntN(len(syllables))])
	}
	return b.String()
}
