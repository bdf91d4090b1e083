"""The words the reader knows: a small bilingual list of what people ask assistants about, and words that say nothing."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

# One idea a line; `_` is a space, `~` marks a kind of the thing. Ideas with ! change the world, so a tool for them wants to be asked for.
IDEAS = """
weather: wet dry freezing foggy fog thunderstorm hail warmer colder hotter cooler sunnier wetter windier weather forecast temperature rain rainy snow snowy sunny cloudy wind windy humid humidity umbrella jacket coat sunscreen sunglasses hot cold warm cool chilly storm raincoat degree 暖和 凉快 阴天 晴天 台风 短袖 羽绒服 毛衣 打伞 防晒 闷热 寒冷 天气 气温 温度 下雨 雨 下雪 刮风 多少度 几度 冷 热 冷不冷 热不热 伞 带伞 雨伞 预报 晴 气象 湿度 天气预报
air: air_quality aqi pollution smog 空气质量 空气 雾霾 污染
sunrise: sunrise sun_rise sun_come_up dawn 日出
sunset: sunset sun_set sun_go_down dusk 日落
time: time clock what_time 时间 几点 几点钟 现在几点
today_date: what_day date_today today's_date current_date 今天几号 几号 星期几 日期
timezone: timezone time_zone 时区
timer: timer countdown count_down 计时器 计时 倒计时 定时器 定时
alarm: alarm wake wake_me_up 闹钟 叫醒 叫我起床 起床
!remind: remind reminder 提醒
event: planned plans calendar event meeting appointment schedule agenda diary 日程 日历 会议 活动 约会 行程 安排 开会
!create: open_a raise_a log_a create add make schedule set_up open write save put record 创建 新建 添加 新增 建立 记录 记下 记一下 写 安排 加到 加入 保存 加上 加个
!delete: delete remove erase discard drop clear get_rid 删除 删掉 删了 移除 清除 清空
!cancel: changed_my_mind don't_want no_longer_want don't_send don't_need cancel revoke abort call_off cancellation undo 取消 撤销 退订 不要了
!update: update change modify edit rename reschedule move postpone shift adjust 修改 更改 更新 改成 改为 改到 推迟 调整 改期 变更
!reserve: book reserve reservation booking hold 预订 预约 预定 订 订一 定一
!renew: more_weeks another_week 多借 more_days more_time longer renew renewal extend prolong 续借 续期 延长 续
!return: return give_back refund refund money_back 退货 归还 还书 退款 退钱 退
!send: send email mail e-mail message text forward notify tell_him tell_her 发送 发 邮件 发给 寄 短信 消息 通知 发邮件 转发
!buy: 送 i'll_take i'll_have buy purchase deliver order cart basket 购买 买 下单 购物车 订购 点一 来一 我要 加购
!pay: pay payment transfer wire 支付 付款 转账 转 汇款 付
!play: play listen 播放 放一 听 放首 来首
!stop: stop pause 停止 暂停 停 关掉音乐
!switch: turn_on turn_off switch_on switch_off switch turn 打开 关闭 关掉 关上 开灯 关灯 开启 开一下 关一下 开关
!lock: lock unlock 锁 锁上 解锁 锁门 上锁
!thermostat: thermostat heating heater air_conditioner 空调 暖气 恒温器 调到 设为 设置为 温控器 设定
!set: 定一 调到 调成 设为 设置为 dim brighten lower set 设置 设 设定 调
!register: register sign_up enrol enroll subscribe registration 注册 报名 订阅 登记 挂号
!submit: open_a raise_a file_a log_a submit file report raise 提交 上报 报告 反馈
!close: close resolve 关闭 解决 关单
!assign: assign 分配 指派
!translate: translate translation how_do_you_say 翻译 译成 译 怎么说
convert: convert conversion exchange exchange_rate how_much_is in_kilometres equal 换算 换成 兑换 转换 换 折合 汇率 兑 等于多少 是多少 合多少
currency: currency currencies money usd eur gbp jpy cny dollar euro pound yen yuan rmb franc rupee won 货币 美元 欧元 英镑 日元 人民币 外币 外汇 港币 韩元 卢布
unit: unit mile kilometre kilometer km kilogram kg gram pound lb ounce inch inche foot feet metre meter cm celsius fahrenheit litre liter gallon length weight measure measurement 单位 公里 英里 千克 公斤 磅 英寸 厘米 米 英尺 斤 摄氏度 华氏度 升 加仑
search: search find look_for lookup look_up google browse seek 搜索 搜 查找 检索 搜一下 找 找一下 搜一搜 寻找
web: web internet online website 网络 互联网 网上 上网 联网 网页
knowledge: document documentation docs handbook manual faq policy wiki article knowledge_base knowledge 文档 手册 资料 知识库 制度 政策 知识 百科 规定
news: news headline latest_news 新闻 头条 资讯
book: book novel title author library catalogue catalog isbn 图书 书 书籍 馆藏 小说 作者 书名 著作 书目
loan: loan borrow borrowed due overdue lend 借阅 借书 借 到期 外借
hours: opening_hours open close opening closing business_hours closed 营业时间 开门 关门 开放时间 开馆 闭馆 营业 几点开 几点关 开放
branch: branch store location 分馆 分店 门店 店
price: ticket_price 票价 车票价 price cost how_much expensive cheap charge fee how_much_does how_much_is 价格 多少钱 价钱 售价 单价 费用 贵 便宜 几块钱 报价
stock: do_you_have stock in_stock inventory available availability how_many left have_any 库存 有货 现货 还有货 剩 存货 还剩 还有多少
product: product item goods article 商品 产品 货品 物品
order: order deliver purchase parcel package delivery shipment 订单 订单号 包裹 快递 物流 单号 订购 运单
status: status state where track tracking progress shipped arrive delivered delivery where's 状态 进度 到哪 到哪儿 到哪了 发货 送达 跟踪 追踪 在哪 情况 什么时候到 查询 送到
bus: 下一班车 下一趟车 下趟车 下班车 末班车 首班车 bus buse coach 公交 公交车 巴士 大巴
train: train rail railway 火车 高铁 列车 动车 车次
metro: metro subway underground tram 地铁 轻轨
flight: flight fly plane airline airport 航班 飞机 机票 飞 飞往 起飞 航空
gate: gate terminal 登机口 航站楼
stop_place: stop station 站 站点 车站 站台
next: next 下一班 下一班车 下一 下班车 下一趟
route: how_long_does_it_take drive driving route direction directions way line get_to get_from navigate pass serve 路线 线路 怎么走 经过 途经 怎么去 导航 走法
distance: distance how_far far 距离 多远 多长路
traffic: traffic jam congestion 路况 堵车 交通
fare: fare ticket_price 票价 车费 车票 运费
ticket: ticket_price ticket seat 票 门票 电影票 座位 张票
issue: issue bug ticket incident support problem complaint 工单 故障 报修 缺陷 投诉 问题单
hotel: check-out check_out check-in 退房 hotel hostel accommodation stay room night 酒店 宾馆 旅馆 住宿 民宿 房间 入住 客房
house_room: living_room bedroom kitchen bathroom hallway hall office garage study nursery attic basement 客厅 卧室 厨房 浴室 书房 阳台 办公室 车库 餐厅 卫生间
room: room meeting_room conference_room 会议室 房间 教室
free: free available vacant availability 空闲 空着 空的 可用 空余 有空
restaurant: restaurant eat dinner table lunch dine place_to_eat cafe 餐厅 饭店 吃饭 餐馆 好吃 餐桌 美食 座位 面馆 小吃
recipe: make_from make_with recipe cook dish ingredient meal bake 菜谱 做菜 食谱 食材 做什么菜 烹饪 能做什么 做法 怎么做
drink: drink beverage ~coffee ~tea ~juice ~lemonade ~latte ~cappuccino ~espresso ~smoothie ~hot_chocolate ~cocoa ~milk ~cola ~soda ~mocha ~water ~beer ~milkshake 饮料 饮品 杯 ~咖啡 ~茶 ~奶茶 ~果汁 ~拿铁 ~柠檬水 ~可乐 ~豆浆 ~牛奶 ~热巧克力 ~啤酒 ~矿泉水 ~绿茶 ~红茶
food: food meal ~pizza ~burger ~sandwich ~cake ~salad ~soup ~pasta ~noodles 外卖 食物 点餐 ~披萨 ~蛋糕 ~汉堡 ~面条 ~米饭
calorie: calorie nutrition protein 卡路里 热量 营养
light: light lamp 灯 电灯 灯光 台灯 照明
door: door window ~curtain ~blind 门 窗 ~窗帘 ~窗户
device: device appliance ~tv ~fan ~heater 设备 电器 ~电视 ~风扇
volume: volume loud louder quieter 音量 声音
music: music song track album artist playlist tune ~jazz ~rock 音乐 歌 歌曲 曲 专辑 歌手 播放列表
movie: movie film cinema show showtime 电影 影院 影片 场次 放映
note: ~笔记本 ~记事本 记一下 记下 记录 note memo notebook jot 笔记 便签 备忘 备忘录 记事
task: task todo to-do to_do to-do_list chore 任务 待办 待办事项
list: 有什么 list all which every overview 列出 列表 有哪些 哪些 所有 全部 清单
file: file folder directory document 文件 目录 文件夹 文档
read: read open content 读取 读 打开 内容
database: database sql table query row record 数据库 表 数据表 记录
user: user 用户
customer: customer client member account profile 客户 会员 账户 账号 个人信息
employee: employee staff colleague worker 员工 同事 职员
contact: contact phone telephone address_book 联系人 电话 号码 联系方式 通讯录 手机号
email: email e-mail mail inbox 邮件 邮箱 电子邮件
call_phone: call dial ring phone 打电话 拨打 呼叫 拨
balance: balance account bank savings 余额 账户 银行
shares: trading share stock_price stock ticker quote 股价 股票 行情 股 股市
crypto: bitcoin crypto coin 比特币 加密货币
define: define definition meaning mean dictionary synonym 定义 意思 词典 含义 释义 解释
spell: spell spelling 拼写
map: map nearby near around closest nearest 地图 附近 周边 最近的
place: place city town location country region where 城市 地点 地方 位置 哪里 哪儿 地区
population: population inhabitants people_live 人口
capital: capital 首都
holiday: holiday vacation leave day_off public_holiday 假期 节假日 放假 休假 年假 请假
doctor: doctor physician clinic ~dentist 医生 ~牙医 诊所 看病 医院 门诊
course: course class lesson lecture ~exam 课程 课 课表 上课 考试
grade: grade score mark gpa 成绩 分数
sport: match game team league ~football ~tennis ~basketball 比赛 球队 球赛 ~足球 ~篮球
parking: parking park car_park 停车 停车场 车位
taxi: taxi cab ride uber 出租车 打车 叫车 的士
car: car vehicle rental rent 汽车 租车 车辆
password: password passcode 密码
code: code program script python 代码 程序 脚本
image: image picture photo draw 图片 照片 画 图像
summary: summarise summarize summary recap 总结 概括 摘要 归纳 小结
wear: wear clothes outfit dress jacket coat clothing what_to_wear pack 穿 衣服 穿衣 外套 穿什么 穿搭
travel: get_from get_to how_do_i_get travel trip route itinerary visit tour sightseeing journey tourist go_to 旅行 旅游 路线 景点 出行 游玩 行程 玩 怎么去 攻略
chat: chat hello hi small_talk joke thanks greeting bored hey 闲聊 聊天 你好 笑话 谢谢 无聊 您好
joke: joke funny 笑话
random: random dice roll coin_flip flip 随机 骰子 掷 抽签
weight_body: bmi height_weight 体重指数
loan_money: mortgage interest 贷款 利息 利率
tax: tax vat 税 税费
discount: discount coupon promo voucher 折扣 优惠 优惠券 打折
tip: tip gratuity 小费
review: rate star review rating feedback 评价 评论 评分
plant: plant water garden irrigation 浇水 植物 花园
pet: pet ~cat ~dog 宠物 ~猫 ~狗
recommend: recommend recommendation suggest suggestion 推荐 建议
add_op: add plus sum addition total 加 求和 相加 之和 的和 总和 加法 加上
subtract_op: subtract minus difference subtraction deduct 减 相减 之差 减法 减去 的差
multiply_op: multiply times product multiplication 乘 乘以 相乘 乘积 乘法 之积 的积
divide_op: divide division quotient 除 除以 相除 除法 之商 的商
power_op: power exponent exponentiation raise squared cubed 次方 乘方 幂 平方 立方
root_op: sqrt square_root 平方根 开方
modulo_op: modulo remainder mod 余数 取余 求余
average_op: average mean 平均 平均值 平均数 均值
math: calculate calculator compute arithmetic evaluate math expression calculation 计算 算 算式 表达式 计算器 算术 运算 数学
today: today now current tonight 今天 今日 今晚 当天 现在
tomorrow: tomorrow 明天 明日
yesterday: yesterday 昨天
overmorrow: day_after_tomorrow 后天
morning: morning 早上 上午 早晨
afternoon: afternoon 下午
evening: evening 晚上 傍晚
celsius: celsius centigrade c 摄氏度 摄氏 ℃
fahrenheit: fahrenheit f 华氏度 华氏 ℉
metric: metric 公制
imperial: imperial 英制
small: small little 小 小杯 小号 小份
medium: medium 中杯 中号 中份 中等
large: large big 大 大杯 大号 大份
high: high urgent critical emergency 紧急 高 优先级高
low: low no_rush whenever 低 优先级低 不急
urgent: urgent quickly hurry on_fire 赶紧 赶快 asap immediately emergency critical right_away 紧急 急 马上 立刻 尽快 加急
normal: normal standard regular 普通 标准 一般
express: express fast quick 快速 加快 特快
red: red 红色 红
green: green 绿色 绿
blue: blue 蓝色 蓝
white: white 白色 白
black: black 黑色 黑
yellow: yellow 黄色 黄
economy: economy 经济舱
business: business 商务舱
first: first first_class 头等舱
one_way: one-way one_way single 单程
round_trip: round-trip round_trip return_trip 往返
single_room: single 单人 单人间
double_room: double 双人 双人间
walk: walk walking on_foot foot 步行 走路
drive: drive driving by_car car 开车 驾车 自驾
cycle: cycle cycling bike bicycle bicycling 骑车 骑行 自行车
transit: transit public_transport bus 公共交通 公交
positive: positive good great love excellent happy wonderful amazing perfect like enjoy enjoyed recommend fantastic delicious 正面 积极 好评 喜欢 很好 满意 开心 太棒 棒 不错 好吃 优秀
negative: negative bad terrible awful hate poor disappointed broken broke worst slow rude angry late never_again 负面 消极 差评 讨厌 糟糕 失望 太差 坏 难吃 生气 不满 慢
neutral: neutral 中性 一般 还行
city_name: 北京 上海 天津 重庆 广州 深圳 成都 杭州 武汉 西安 南京 苏州 长沙 郑州 青岛 大连 宁波 厦门 福州 济南 合肥 昆明 南昌 贵阳 南宁 海口 三亚 拉萨 兰州 银川 西宁 太原 沈阳 长春 哈尔滨 石家庄 呼和浩特 乌鲁木齐 香港 澳门 台北 高雄 无锡 温州 珠海 桂林 丽江 洛阳 扬州 中国 日本 韩国 美国 英国 法国 德国 泰国 意大利 西班牙 纽约 伦敦 巴黎 东京 大阪 京都 首尔 曼谷 新加坡 悉尼 柏林 罗马 马德里 莫斯科 迪拜 开罗 洛杉矶 旧金山 芝加哥 多伦多 温哥华 墨尔本 河内 吉隆坡 雅加达 马尼拉 孟买 新德里 里斯本 雅典 维也纳 布拉格 阿姆斯特丹 布鲁塞尔 巴塞罗那 米兰 威尼斯 慕尼黑 赫尔辛基 斯德哥尔摩 奥斯陆 哥本哈根 雷克雅未克 墨西哥城 利马 里约热内卢 内罗毕 伊斯坦布尔 札幌 福冈 釜山 清迈 普吉 河内 胡志明市 仰光 金边
question: question ask 问题 提问 咨询 问
complaint: complaint complain 投诉 抱怨
refund: refund money_back 退款 退钱
billing: billing bill invoice charged payment 账单 发票 扣费 计费
technical: technical error crash bug broken login install 技术 报错 崩溃 登录 故障
english: english 英语 英文
chinese: chinese mandarin 中文 汉语 普通话
french: french 法语 法文
german: german 德语 德文
spanish: spanish 西班牙语 西语
japanese: japanese 日语 日文
korean: korean 韩语 韩文
italian: italian 意大利语
russian: russian 俄语 俄文
portuguese: portuguese 葡萄牙语
arabic: arabic 阿拉伯语
vegetarian: vegetarian veggie 素食 素
vegan: vegan 纯素
breakfast: breakfast 早餐
name_of: name called call_me 名字 叫 姓名 名叫 我是
height: tall height high metre 高 多高 高度 身高 海拔
length_of: long length how_long 长 多长 长度 全长
deep: deep depth 深 多深 深度
built: built build constructed completed finished built_in founded established opened 建于 建成 修建 建造 始建 成立 创立 落成 建
old_age: old age years_old 岁 多大 年龄 年纪
live: live lives living 住在 住 家在 居住 常住
like: like likes love favourite favorite prefer fond 喜欢 最爱 爱 偏好 最喜欢
allergy: allergic allergy 过敏
designed: designed architect designer 设计 设计师
wrote: wrote written author writer 写的 作者 所著
month: month monthly 每月 月费
yearly: yearly annual annually 每年
weekend: weekend saturday sunday 周末 周六 周日 星期六 星期天 星期日
weekday: weekday monday tuesday wednesday thursday friday 工作日 周一 周二 周三 周四 周五 星期一 星期二 星期三 星期四 星期五
duration: take duration lasts minutes how_long 航程 用时 耗时 多久 时长 需要多长时间
"""

STOP = """
a an the this that these those there here it its it's i'm i'd i'll i've me my mine we us our you your yours meant compare instead actually sorry bring he she his her they them their
i am is are was were be been being do does did done doing have has had having can could will would shall should may might must let lets let's
what what's which who whom whose when where where's why how and or but if then than so because as of at by for from in into on onto to up out over with
without about under between during per via not no nor only just also too please kindly now right currently today's given some any each every
more most much many such other another same own very really quite like get got gets give gives show tell tells check see know want wants
need needs look take thing things hey hi ok okay thanks thank well oh yes yeah sure help using use used return returns returned
specific specified certain particular current value values input number numbers string id ids code codes
information info data details detail one ones once again still already yet going go come it'll that's there's who's you're me? us?
within after before until since both either all i'd_like would_like is_it are_there is_there do_you can_you could_you me_know
how's when's 两个城市 三个城市 四个城市 leaves departs departing starts say says said give_me show_me tell_me find_out e.g i.e etc example instance exactly actually maybe perhaps
对比 比一比 未来 接下来 近期 这几天 请 请问 请用 帮我 帮忙 麻烦 你 您 我 我们 他 她 它 这 那 这个 那个 这些 那些 的 了 吗 呢 吧 啊 呀 哦 嘛 是 有 在 和 与 跟 或 把 被 给 让 用 从 到 去 往 要 想 会 能 都
可以 能不能 可不可以 一下 查一下 看一下 看看 查 查看 查查 查询 告诉 告诉我 知道 什么 怎么 怎么样 怎样 如何 多少 几 哪 哪个 哪一 谁 何时 什么时候 为什么 也 还 再 又 就 才 很 非常 每
但是 如果 因为 所以 然后 还有 以及 顺便 另外 一个 一条 一份 一张 一本 一首 一杯 个 些 时候 按照 根据 指定 某个 某一 该 当前 目前 这里 那里 需要 想要 我想 希望 进行 获取 返回 提供 显示
没 没有 适合 不适合 合适 不是 好的 谢谢 现在 刚才 今天的 麻烦你 请帮我 帮 帮我查 想知道 我想知道 能否 是否 有没有 等等 例如 比如 格式 格式为 参数 名称 之间 更 比较 最晚 最早 最多 最少 关于 有关 呢 一下子 怎么走 多大 几个 哪几 本周 这本 这家 那家
"""
